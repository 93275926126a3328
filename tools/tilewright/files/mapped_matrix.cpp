#include "files/mapped_matrix.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

#include "files/file_error.hpp"
#include "files/input.hpp"
#include "files/npy.hpp"
#include "runtime/system/descriptor.hpp"
#include "runtime/system/error_text.hpp"
#include "runtime/system/sha256.hpp"

namespace tilewright::tool {
namespace {

extern "C" void end_for_lost_pages(int) {
  constexpr std::string_view message =
      "tilewright: a mapped file was truncated, or its disk failed; tiles that were finished are stored: continue with "
      "--resume\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  _exit(1);
}

// Digest of up to 4096 bytes at 64 places. The modification time detects changes elsewhere.
std::string digest_of_samples(const MappedFile& file) {
  constexpr std::uint64_t samples = 64, sample_bytes = 4096;
  std::string bytes;
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::uint64_t begin = file.size() / samples * i;
    const std::uint64_t size = std::min(sample_bytes, file.size() - begin);
    bytes.append(reinterpret_cast<const char*>(file.data()) + begin, size);
  }
  return detail::to_hex(detail::sha256(bytes));
}

}  // namespace

MappedFile::MappedFile(int descriptor, const std::string& path, std::uint64_t bytes, bool writable) : size_(bytes) {
  if (bytes == 0) return;
  void* const mapped = mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED)
    throw FileError(writable ? FileErrorCode::cannot_write : FileErrorCode::cannot_read, path,
                    "cannot be mapped: " + detail::error_text(errno));
  data_ = static_cast<std::byte*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedMatrix::MappedMatrix(const std::string& path) : header_(read_npy_header(path, NpyElements::numbers)) {
  const detail::Descriptor descriptor = open_regular_file(path);
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0)
    throw FileError(FileErrorCode::cannot_read, path, "cannot be read: " + detail::error_text(errno));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t bytes = header_.data_bytes();
  if (size < bytes)
    throw FileError(FileErrorCode::truncated, path, fmt::format("truncated: {} bytes, {} expected", size, bytes));
  offset_ = size - bytes;
  if (offset_ % header_.element_bytes() != 0)
    throw FileError(FileErrorCode::unsupported_format, path,
                    "has misaligned elements and cannot be mapped; write it again with numpy.save()");
  file_ = MappedFile(descriptor.get(), path, size, false);
  fingerprint_ = fmt::format("{} {}.{:09} {}", size, static_cast<long long>(status.st_mtim.tv_sec),
                             static_cast<long>(status.st_mtim.tv_nsec), digest_of_samples(file_));
}

void report_lost_pages() { std::signal(SIGBUS, end_for_lost_pages); }

}  // namespace tilewright::tool
