#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tilewright::tool {

/// Finds out, before the work is done, whether a file can be written. Throws FileError(not_a_file, cannot_write), also
/// for "-": who wants a file of that name says "./-".
void check_output(const std::string& path);

/// Whether two paths name one file, by whatever links; false where one of them names none.
bool same_file(const std::string& left, const std::string& right);

/// Throws FileError(cannot_write) where standard output is a terminal, which is no place for bytes.
void check_binary_output();

/// Writes to standard output. Throws FileError(cannot_write).
void write_binary_output(std::span<const std::byte> bytes);

/// A file that appears whole or not at all: bytes go to a temporary file beside it, which commit() renames.
/// The temporary file is removed by the destructor, and when the process is interrupted or terminated.
/// One at a time in a process.
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
  std::string target_;     // behind symbolic links
  std::string temporary_;  // empty once there is none
  int descriptor_ = -1;
};

}  // namespace tilewright::tool
