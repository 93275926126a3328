// Matrices in NumPy files that are mapped instead of read, because they may exceed the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "files/npy_header.hpp"

namespace tilewright::tool {

/// A memory-mapped file.
class MappedFile {
 public:
  MappedFile() = default;
  /// Maps the first `bytes` bytes. Throws FileError(cannot_write) if it is to be writable, otherwise
  /// FileError(cannot_read).
  MappedFile(int descriptor, const std::string& path, std::uint64_t bytes, bool writable);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::byte* data() const { return data_; }
  std::uint64_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
};

/// A read-only mapped matrix of numbers.
class MappedMatrix {
 public:
  /// Throws FileError, also if the file is shorter than its header says or its elements are misaligned.
  explicit MappedMatrix(const std::string& path);

  const NpyHeader& header() const { return header_; }
  const std::byte* data() const { return file_.data() + offset_; }
  /// Identifies the content by size, modification time, and a digest of samples.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  NpyHeader header_;
  MappedFile file_;
  std::uint64_t offset_ = 0;
  std::string fingerprint_;
};

/// Installs a SIGBUS handler: if a mapped file shrinks or its disk fails, the process prints a message and exits with
/// status 1.
void report_lost_pages();

}  // namespace tilewright::tool
