#include "files/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "files/file_error.hpp"
#include "runtime/system/error_text.hpp"

namespace tilewright::tool {
namespace {

[[noreturn]] void fail_to_open(const std::string& path) {
  if (errno != ENOENT && errno != ENOTDIR)
    throw FileError(FileErrorCode::cannot_open, path, "cannot be opened for reading: " + detail::error_text(errno));
  throw FileError(FileErrorCode::cannot_open, path,
                  path == "-" ? "standard input is not accepted here; name a file" : "there is no such file");
}

[[noreturn]] void fail_for_kind(const std::string& path, mode_t mode) {
  const bool is_directory = S_ISDIR(mode);
  throw FileError(FileErrorCode::not_a_file, path,
                  fmt::format("is not a file but {}{}", name_of_file_kind(mode),
                              is_directory ? "" : "; only regular files are read: write its content to a file first"));
}

}  // namespace

std::string_view name_of_file_kind(mode_t mode) {
  if (S_ISREG(mode)) return "a regular file";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "something else";
}

void ByteSource::read(void* target, std::uint64_t bytes, std::string_view what) {
  if (bytes > left_)
    throw FileError(FileErrorCode::truncated, name_,
                    fmt::format("truncated: {} bytes of {} left, {} expected", left_, what, bytes));
  get(static_cast<char*>(target), static_cast<std::size_t>(bytes), what);
  left_ -= bytes;
}

detail::Descriptor open_regular_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) fail_to_open(path);
  if (!S_ISREG(status.st_mode)) fail_for_kind(path, status.st_mode);
  // O_NONBLOCK: a pipe may have replaced the file since stat().
  detail::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0 || fstat(file.get(), &status) != 0) fail_to_open(path);
  if (!S_ISREG(status.st_mode)) fail_for_kind(path, status.st_mode);
  return file;
}

std::uint64_t size_of_file(const detail::Descriptor& file, const std::string& path) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0)
    throw FileError(FileErrorCode::cannot_read, path, "the size cannot be determined: " + detail::error_text(errno));
  return static_cast<std::uint64_t>(status.st_size);
}

FileSource::FileSource(const std::string& path) : ByteSource(path), file_(open_regular_file(path)) {
  left_ = size_of_file(file_, path);
}

void FileSource::get(char* target, std::size_t bytes, std::string_view what) {
  while (bytes > 0) {
    const ssize_t count = ::read(file_.get(), target, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw FileError(FileErrorCode::cannot_read, name(),
                      fmt::format("reading {} failed: {}", what, detail::error_text(errno)));
    if (count == 0)
      throw FileError(FileErrorCode::cannot_read, name(),
                      fmt::format("reading {} failed: the file was truncated meanwhile", what));
    target += count;
    bytes -= static_cast<std::size_t>(count);
  }
}

void require_host_memory(const std::string& path, double bytes, std::string_view what) {
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= memory) return;
  throw FileError(FileErrorCode::too_large, path,
                  fmt::format("{} takes {:.3g} GiB of memory, but this machine has {:.3g}", what, bytes * 0x1p-30,
                              memory * 0x1p-30));
}

}  // namespace tilewright::tool
