#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>

namespace tilewright::tool {

/// Checks before the work starts that a file can be written. Throws FileError(not_a_file, cannot_write), also for "-";
/// a file of that name is "./-".
void check_output(const std::string& path);

/// Returns the permissions of an existing file that is to be replaced, otherwise those of a new file.
mode_t permissions_for(const std::string& target);

/// Returns true if both paths name the same file, also through symbolic or hard links. Recognises a file that does not
/// exist yet, if its directory does.
bool same_file(const std::string& left, const std::string& right);

/// Throws FileError(cannot_write) if standard output is a terminal, because the output is binary.
void check_binary_output();

/// Writes to standard output. Throws FileError(cannot_write).
void write_binary_output(std::span<const std::byte> bytes);

/// A file that appears whole or not at all. Writes to a temporary file in the same directory, which commit() renames.
/// Symbolic links are kept; their target is created or replaced. The destructor removes the temporary file, as do
/// signals that end the process. A process can have one object at a time.
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

  std::string path_;       // as passed by the caller
  std::string target_;     // with symbolic links resolved
  std::string temporary_;  // empty if it does not exist
  int descriptor_ = -1;
};

}  // namespace tilewright::tool
