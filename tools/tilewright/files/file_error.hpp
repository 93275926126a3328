#pragma once

#include <stdexcept>
#include <string>

namespace tilewright::tool {

/// What is wrong with a file, one code per cause.
enum class FileErrorCode {
  cannot_open,             ///< missing, or not to be read
  not_a_file,              ///< a directory, device, pipe or socket
  cannot_read,             ///< reading failed half-way
  not_npy,                 ///< no NumPy array file
  unsupported_version,     ///< a NumPy format newer than 3
  truncated,               ///< ends before its header or its data does
  trailing_data,           ///< goes on after its data
  oversized_header,        ///< a header longer than any two-dimensional array needs
  malformed_header,        ///< a header that NumPy would not have written
  unsupported_type,        ///< elements other than 4- or 8-byte floats
  big_endian,              ///< elements in the other byte order
  unsupported_dimensions,  ///< not two-dimensional
  size_overflow,           ///< more bytes than can be addressed
  missing_column,          ///< a table without a column that is needed
  malformed_row,           ///< a table's row that cannot be understood
  cannot_write,            ///< the output cannot be written
};

/// Every error of reading or writing a file. what() begins with the file's path.
class FileError : public std::runtime_error {
 public:
  FileError(FileErrorCode code, const std::string& path, const std::string& message)
      : std::runtime_error(path + ": " + message), code_(code) {}

  FileErrorCode code() const noexcept { return code_; }

 private:
  FileErrorCode code_;
};

}  // namespace tilewright::tool
