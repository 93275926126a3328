#include "files/input.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "files/file_error.hpp"

namespace tilewright::tool {

void ByteSource::read(void* target, std::uint64_t bytes, std::string_view what) {
  if (bytes > left_)
    throw FileError(FileErrorCode::truncated, name_,
                    fmt::format("truncated: {} bytes of {}, {} expected", left_, what, bytes));
  get(static_cast<char*>(target), static_cast<std::size_t>(bytes), what);
  left_ -= bytes;
}

void require_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw FileError(FileErrorCode::cannot_open, path,
                    path == "-" ? "standard input is not taken here; name a file" : "there is no such file");
  if (error) throw FileError(FileErrorCode::cannot_open, path, "cannot be opened for reading: " + error.message());
  if (!std::filesystem::is_regular_file(status)) throw FileError(FileErrorCode::not_a_file, path, "is not a file");
}

FileSource::FileSource(const std::string& path) : ByteSource(path) {
  require_file(path);
  errno = 0;
  stream_.open(path, std::ios::binary);
  if (!stream_)
    throw FileError(FileErrorCode::cannot_open, path,
                    "cannot be opened for reading: " + std::generic_category().message(errno));
  std::error_code error;
  left_ = std::filesystem::file_size(path, error);
  if (error) throw FileError(FileErrorCode::cannot_read, path, "has no size: " + error.message());
}

void FileSource::get(char* target, std::size_t bytes, std::string_view what) {
  stream_.read(target, static_cast<std::streamsize>(bytes));
  if (!stream_) throw FileError(FileErrorCode::cannot_read, name(), fmt::format("reading {} failed", what));
}

void require_host_memory(const std::string& path, double bytes, std::string_view what) {
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= memory) return;
  throw FileError(
      FileErrorCode::too_large, path,
      fmt::format("{} takes {:.3g} GiB of memory, this machine has {:.3g}", what, bytes * 0x1p-30, memory * 0x1p-30));
}

}  // namespace tilewright::tool
