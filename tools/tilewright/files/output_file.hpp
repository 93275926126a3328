#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tilewright::tool {

/// Checks, before the work is done, that a file can be written. Throws FileError(not_a_file, cannot_write), also for
/// "-"; a file of that name is "./-".
void check_output(const std::string& path);

/// Whether two paths name one existing file, through links of either kind.
bool same_file(const std::string& left, const std::string& right);

/// Throws FileError(cannot_write) where standard output is a terminal, which cannot show bytes.
void check_binary_output();

/// Writes to standard output. Throws FileError(cannot_write).
void write_binary_output(std::span<const std::byte> bytes);

/// A file that appears whole or not at all: bytes go to a temporary file next to it, which commit() renames. A symbolic
/// link stays, and the file that it leads to is created or replaced. The temporary file is removed by the destructor,
/// and by a signal that ends the process. A process can have one object at a time.
class OutputFile {
 public:
  /// Throws FileError(not_a_file, cannot_write).
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* action) const;
  void discard() noexcept;

  std::string path_;       // as the caller named it
  std::string target_;     // where symbolic links lead
  std::string temporary_;  // empty once there is none
  int descriptor_ = -1;
};

}  // namespace tilewright::tool
