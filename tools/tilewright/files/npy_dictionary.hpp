// The header of a NumPy array file: a Python dictionary as text, for arrays of any elements and dimensions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/input.hpp"

namespace tilewright::tool {

struct NpyDictionary {
  /// As NumPy writes it, such as "<f4"; empty where elements are records or arrays, and then nothing else is read.
  std::string descriptor;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Accepts what NumPy's reader accepts: keys in any order, prefixes of strings, and integers of Python 2 such as "3L".
/// Other names of a type that NumPy knows, such as "float32", become its descriptor. `name` is for messages. Throws
/// FileError(malformed_header, size_overflow).
NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& name);

/// Reads everything before the data of an array. Throws FileError(not_npy, unsupported_version, truncated,
/// oversized_header) and what parse_npy_dictionary() throws.
NpyDictionary read_npy_dictionary(ByteSource& source);

}  // namespace tilewright::tool
