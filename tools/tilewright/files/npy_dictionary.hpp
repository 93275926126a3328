// What a NumPy array file begins with: a Python dictionary as text, of arrays of any elements and dimensions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/input.hpp"

namespace tilewright::tool {

struct NpyDictionary {
  std::string descriptor;  ///< "<f4"; empty where elements are records of named fields, of which nothing else is read
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// `name` is for messages. Throws FileError(malformed_header, size_overflow).
NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& name);

/// Reads all that stands before an array's data. Throws FileError(not_npy, unsupported_version, truncated,
/// oversized_header) and what parse_npy_dictionary() throws.
NpyDictionary read_npy_dictionary(ByteSource& source);

}  // namespace tilewright::tool
