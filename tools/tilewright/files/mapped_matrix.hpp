// Matrices in NumPy files that are mapped, not read, as they may be larger than the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "files/npy_header.hpp"

namespace tilewright::tool {

/// A part of the address space that a file stands behind.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws FileError(cannot_read).
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

/// A matrix of numbers to be read.
class MappedMatrix {
 public:
  /// Throws FileError, also where the file is shorter than its header says or its elements are not aligned.
  explicit MappedMatrix(const std::string& path);

  const NpyHeader& header() const { return header_; }
  const std::byte* data() const { return file_.data() + offset_; }
  /// Tells this content from another: size, time of change, and a digest of samples.
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  NpyHeader header_;
  MappedFile file_;
  std::uint64_t offset_ = 0;
  std::string fingerprint_;
};

/// From now on a file that shrinks, or whose disk fails, while it is mapped ends the process with a message and exit
/// status 1, instead of SIGBUS alone.
void tell_of_lost_pages();

}  // namespace tilewright::tool
