#include "tune/records_place.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "runtime/system/error_text.hpp"
#include "runtime/system/user_directory.hpp"
#include "runtime/system/write_all.hpp"
#include "tilewright/records.hpp"

namespace tilewright::tool {
namespace {

// Writes and deletes a trial file, about as large as the files of a tuning run.
void try_to_write(const std::string& directory) {
  constexpr std::size_t bytes = 256 << 10;
  if (!detail::make_directories(directory))
    throw std::runtime_error(directory + " cannot be created: " + detail::error_text(errno));
  std::string name = directory + "/.trial-XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) throw std::runtime_error(directory + " cannot be written: " + detail::error_text(errno));
  const std::string content(bytes, '\n');
  const bool written = detail::write_all(descriptor, content) && fsync(descriptor) == 0;
  const std::string error = detail::error_text(errno);
  close(descriptor);
  unlink(name.c_str());
  if (!written) throw std::runtime_error(directory + " cannot be written: " + error);
}

}  // namespace

void require_records_place(const DeviceProfile& device) try {
  check_records_storable(device);
  const auto directory = records_file(device).value().parent_path();
  try_to_write(directory.string());
  try_to_write((directory / "journal").string());
} catch (const std::exception& problem) {
  throw std::runtime_error(std::string("tuning results could not be stored: ") + problem.what());
}

}  // namespace tilewright::tool
