#pragma once

#include <stdexcept>
#include <string>

namespace tilewright::tool {

/// Errors of reading and writing files, one code per cause.
enum class FileErrorCode {
  cannot_open,             ///< missing or not readable
  not_a_file,              ///< a directory, device, pipe or socket
  cannot_read,             ///< reading failed part-way
  not_npy,                 ///< not a NumPy array file
  unsupported_version,     ///< NumPy format newer than version 3
  truncated,               ///< ends within its header or data
  trailing_data,           ///< continues after its data
  oversized_header,        ///< header longer than any two-dimensional array needs
  malformed_header,        ///< header that NumPy would not have written
  unsupported_type,        ///< element type that the command cannot compute with
  big_endian,              ///< elements have the other byte order
  unsupported_dimensions,  ///< not two-dimensional
  size_overflow,           ///< more bytes than 64-bit offsets can address
  not_matrix_market,       ///< not a Matrix Market file
  malformed_line,          ///< line that the Matrix Market format does not allow
  unsupported_format,      ///< unsupported kind of matrix, such as complex or block-wise stored
  out_of_range,            ///< index outside of the matrix, or number that no element type holds
  wrong_count,             ///< number of entries differs from the announced one
  not_npz,                 ///< not an archive of NumPy arrays
  missing_member,          ///< archive lacks a required array
  damaged,                 ///< invalid compressed data
  too_large,               ///< larger than this machine's memory
  missing_column,          ///< table lacks a required column
  malformed_row,           ///< malformed row of a table
  cannot_write,            ///< output cannot be written
};

/// An error of reading or writing a file. what() starts with the file's path.
class FileError : public std::runtime_error {
 public:
  FileError(FileErrorCode code, const std::string& path, const std::string& message)
      : std::runtime_error(path + ": " + message), code_(code) {}

  FileErrorCode code() const noexcept { return code_; }

 private:
  FileErrorCode code_;
};

}  // namespace tilewright::tool
