#include "verification/common/temporary_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace tilewright::verification {

TemporaryFile::TemporaryFile()
    : path_((std::filesystem::absolute(std::filesystem::temp_directory_path()) / "tilewright-XXXXXX").string()) {
  const int file = mkstemp(path_.data());
  if (file < 0) throw std::system_error(errno, std::generic_category(), path_ + ": the file cannot be created");
  close(file);
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

}  // namespace tilewright::verification
