// NumPy arrays of any real element type, read element by element.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/input.hpp"
#include "files/npy_dictionary.hpp"

namespace tilewright::tool {

/// An array whose header was read and whose data are next in the source.
struct NpyArray {
  NpyDictionary dictionary;
  ByteSource* source = nullptr;

  std::uint64_t size() const { return dictionary.shape.at(0); }
};

/// Reads the header of a one-dimensional array. The source must outlive the result. Throws
/// FileError(unsupported_dimensions) and the errors of read_npy_dictionary().
NpyArray open_npy_vector(ByteSource& source);

// The functions below read all data. They allocate only after checking the source's length. They throw
// FileError(unsupported_type, truncated, trailing_data) and the source's errors.

/// Reads integers of 32 or 64 bits, which must not be negative. Also throws FileError(out_of_range).
std::vector<std::uint64_t> read_indices(const NpyArray& array);
/// Reads floats of 2, 4 or 8 bytes, integers, and booleans as 0 and 1. Throws FileError(out_of_range) if a double
/// cannot hold an integer exactly.
std::vector<double> read_numbers(const NpyArray& array);
/// Returns true if 4-byte floats hold all elements of this type exactly.
bool fits_f32(const NpyArray& array);

/// Reads an array that holds a single text, for example b'csr' or 'csr'.
std::string read_text(ByteSource& source);

}  // namespace tilewright::tool
