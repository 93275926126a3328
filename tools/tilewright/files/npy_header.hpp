// Properties of a matrix in a NumPy array file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "files/npy_dictionary.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::tool {

struct NpyHeader {
  DataType type = DataType::f32;
  bool fortran_order = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  /// For elements that are only moved: NumPy's descriptor, such as "<i4", and the element size. `type` is ignored then.
  std::string descriptor{};
  std::size_t moved_bytes = 0;

  std::size_t element_bytes() const { return moved_bytes != 0 ? moved_bytes : size_of(type); }
  std::uint64_t data_bytes() const { return rows * columns * element_bytes(); }
};

/// Element types that a reader accepts.
enum class NpyElements {
  numbers,           ///< NumPy types that the command computes with
  numbers_and_bits,  ///< also unsigned integers that hold bits of types that NumPy lacks, such as bfloat16
  any                ///< elements of 1, 2, 4, 8 or 16 bytes
};

/// Array shapes that a reader accepts.
enum class NpyShape {
  matrix,  ///< two dimensions
  vector,  ///< one dimension, read as a column, or a matrix of one row or column
};

/// Converts a dictionary to a header, whose data_bytes() does not overflow. `path` is used in messages. Throws
/// FileError(unsupported_type, big_endian, unsupported_dimensions, size_overflow).
NpyHeader npy_header_of(const NpyDictionary& dictionary, const std::string& path, NpyElements elements, NpyShape shape);

/// Parses the text of a header's dictionary. Throws FileError(malformed_header) and the errors of npy_header_of().
NpyHeader parse_npy_header(std::string_view text, const std::string& path, NpyElements elements = NpyElements::numbers,
                           NpyShape shape = NpyShape::matrix);

/// Returns the magic number, version 1.0, length and dictionary, with NumPy's padding.
std::string format_npy_header(const NpyHeader& header);

}  // namespace tilewright::tool
