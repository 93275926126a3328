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
  unsupported_type,        ///< elements that cannot be computed with
  big_endian,              ///< elements in the other byte order
  unsupported_dimensions,  ///< not two-dimensional
  size_overflow,           ///< more bytes than can be addressed
  not_matrix_market,       ///< no Matrix Market file
  malformed_line,          ///< a line of a Matrix Market file that its format does not allow
  unsupported_format,      ///< a matrix of a kind that is not read, such as a complex or block-wise stored one
  out_of_range,            ///< an index outside of the matrix, or a number that no element holds
  wrong_count,             ///< more or fewer entries than announced
  not_npz,                 ///< no archive of NumPy arrays
  missing_member,          ///< an archive without an array that is needed
  damaged,                 ///< compressed data that cannot be right
  too_large,               ///< more than this machine's memory
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
