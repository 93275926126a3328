// Byte sources of the file readers.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/system/descriptor.hpp"

namespace tilewright::tool {

/// A sequence of bytes of known length.
class ByteSource {
 public:
  /// Error messages start with `name`.
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t left() const { return left_; }

  /// Reads the next bytes. `what` names the data in messages, for example "data". Throws FileError(truncated,
  /// cannot_read, damaged).
  void read(void* target, std::uint64_t bytes, std::string_view what);

 protected:
  std::uint64_t left_ = 0;

 private:
  virtual void get(char* target, std::size_t bytes, std::string_view what) = 0;

  std::string name_;
};

/// Describes a file's kind, for example "a directory" or "a pipe". `mode` is stat()'s.
std::string_view name_of_file_kind(mode_t mode);

/// Opens a regular file for reading. Refuses directories, pipes, devices and sockets without opening them, because a
/// pipe without a writer would block. Throws FileError(cannot_open, not_a_file).
detail::Descriptor open_regular_file(const std::string& path);

/// Returns the size of an open file in bytes. Throws FileError(cannot_read).
std::uint64_t size_of_file(const detail::Descriptor& file, const std::string& path);

class FileSource : public ByteSource {
 public:
  /// Throws FileError(cannot_open, not_a_file, cannot_read).
  explicit FileSource(const std::string& path);

 private:
  void get(char* target, std::size_t bytes, std::string_view what) override;

  detail::Descriptor file_;
};

/// Throws FileError(too_large) if this machine has less memory than `bytes`. `what` names the data in the message, for
/// example "the matrix".
void require_host_memory(const std::string& path, double bytes, std::string_view what);

}  // namespace tilewright::tool
