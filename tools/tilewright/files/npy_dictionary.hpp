// The header of a NumPy array file: a Python dictionary as text, for any element type and number of dimensions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/input.hpp"

namespace tilewright::tool {

struct NpyDictionary {
  /// As NumPy writes it, for example "<f4". Empty if elements are records or arrays; the other fields are unset then.
  std::string descriptor;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Parses whatever NumPy's reader accepts: keys in any order, string prefixes, and Python 2 integers such as "3L".
/// Converts NumPy's other type names, such as "float32", to descriptors. `name` is used in messages. Throws
/// FileError(malformed_header, size_overflow).
NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& name);

/// Reads everything before an array's data. Throws FileError(not_npy, unsupported_version, truncated, oversized_header)
/// and the errors of parse_npy_dictionary().
NpyDictionary read_npy_dictionary(ByteSource& source);

}  // namespace tilewright::tool
