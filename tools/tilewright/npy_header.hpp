// The header of a NumPy array file: a Python dictionary as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tilewright/matrix.hpp"

namespace tilewright::tool {

struct NpyHeader {
  DataType type = DataType::f32;
  bool fortran_order = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  std::uint64_t data_bytes() const { return rows * columns * size_of(type); }
};

/// Reads the dictionary. `path` is for messages. Throws FileError(malformed_header, unsupported_type, big_endian,
/// unsupported_dimensions, size_overflow); data_bytes() of what it returns does not overflow.
NpyHeader parse_npy_header(std::string_view text, const std::string& path);

/// Magic, version 1.0, length and dictionary, padded as NumPy pads it.
std::string format_npy_header(const NpyHeader& header);

}  // namespace tilewright::tool
