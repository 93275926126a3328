// Where readers get their bytes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace tilewright::tool {

/// Bytes one after another, of which it is known how many there are.
class ByteSource {
 public:
  /// `name` stands before every message.
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t left() const { return left_; }

  /// Throws FileError(truncated, cannot_read, damaged). `what` is for messages: "data".
  void read(void* target, std::uint64_t bytes, std::string_view what);

 protected:
  std::uint64_t left_ = 0;

 private:
  virtual void get(char* target, std::size_t bytes, std::string_view what) = 0;

  std::string name_;
};

/// Throws FileError(cannot_open, not_a_file).
void require_file(const std::string& path);

class FileSource : public ByteSource {
 public:
  /// Throws FileError(cannot_open, not_a_file, cannot_read).
  explicit FileSource(const std::string& path);

 private:
  void get(char* target, std::size_t bytes, std::string_view what) override;

  std::ifstream stream_;
};

/// Refuses what would fill this machine's memory, before any of it is allocated. Throws FileError(too_large); `what` is
/// for the message, such as "the matrix".
void require_host_memory(const std::string& path, double bytes, std::string_view what);

}  // namespace tilewright::tool
