// What the header of a NumPy array file says of a matrix.
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
  /// Where elements are only moved: NumPy's descriptor, such as "<i4", and their bytes. `type` then means nothing.
  std::string descriptor{};
  std::size_t moved_bytes = 0;

  std::size_t element_bytes() const { return moved_bytes != 0 ? moved_bytes : size_of(type); }
  std::uint64_t data_bytes() const { return rows * columns * element_bytes(); }
};

/// What elements a file may have.
enum class NpyElements {
  numbers,           ///< NumPy's numbers that can be computed with
  numbers_and_bits,  ///< these, and unsigned integers that hold the bits of numbers that NumPy lacks: bfloat16
  any                ///< anything of 1, 2, 4, 8 or 16 bytes
};

/// What arrays a file may have.
enum class NpyShape {
  matrix,  ///< of two dimensions
  vector,  ///< of one, which is read as a column; or a matrix of one row or one column
};

/// `path` is for messages. Throws FileError(unsupported_type, big_endian, unsupported_dimensions, size_overflow);
/// data_bytes() of what it returns does not overflow.
NpyHeader npy_header_of(const NpyDictionary& dictionary, const std::string& path, NpyElements elements, NpyShape shape);

/// The same of a dictionary's text. Throws FileError(malformed_header), too.
NpyHeader parse_npy_header(std::string_view text, const std::string& path, NpyElements elements = NpyElements::numbers,
                           NpyShape shape = NpyShape::matrix);

/// Magic, version 1.0, length and dictionary, padded as NumPy pads it.
std::string format_npy_header(const NpyHeader& header);

}  // namespace tilewright::tool
