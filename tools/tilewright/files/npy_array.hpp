// NumPy arrays of any real elements, read number by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/input.hpp"
#include "files/npy_dictionary.hpp"

namespace tilewright::tool {

/// An array whose data follow in its source.
struct NpyArray {
  NpyDictionary dictionary;
  ByteSource* source = nullptr;

  std::uint64_t size() const { return dictionary.shape.at(0); }
};

/// Reads what stands before the data of an array of one dimension. The source must outlive it. Throws
/// FileError(unsupported_dimensions) and what read_npy_dictionary() throws.
NpyArray open_npy_vector(ByteSource& source);

// Each reads all data, and allocates nothing before the source is found to be as long. Throw
// FileError(unsupported_type, truncated, trailing_data) and what reading throws.

/// Integers that are no less than 0. Throws FileError(out_of_range), too.
std::vector<std::uint64_t> read_indices(const NpyArray& array);
/// Floats of 2, 4 or 8 bytes, integers, and truth values as 0 and 1. Throws FileError(out_of_range) where a double does
/// not hold an integer exactly.
std::vector<double> read_numbers(const NpyArray& array);
/// Whether floats of 4 bytes hold the elements as they are.
bool fits_f32(const NpyArray& array);

/// The text of an array that holds a single one: b'csr' or 'csr'.
std::string read_text(ByteSource& source);

}  // namespace tilewright::tool
