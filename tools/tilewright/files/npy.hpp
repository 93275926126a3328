// Matrices in NumPy's .npy format, versions 1 to 3.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "files/npy_header.hpp"

namespace tilewright::tool {

struct NpyMatrix {
  NpyHeader header;
  std::vector<std::byte> data;
  std::string path{};  ///< source file, for messages
};

/// Reads a matrix. Throws FileError. Allocates only after the file's size is known to match its header.
NpyMatrix read_npy(const std::string& path, NpyElements elements = NpyElements::numbers,
                   NpyShape shape = NpyShape::matrix);

/// Reads only the header. Throws FileError, also if the file's length differs from the header's.
NpyHeader read_npy_header(const std::string& path, NpyElements elements);

/// Writes a matrix with the type and order of its header, without converting elements. Paths and errors are those of
/// the overload below.
void write_npy(const std::string& path, const NpyMatrix& matrix);

/// Converts the elements to T, a host type, and rounds if T has fewer bits. Throws FileError(out_of_range), naming the
/// element, if a finite number overflows. Throws Error(unsupported_type) for complex elements if T is real.
template <class T>
std::vector<T> elements_as(const NpyMatrix& matrix);

/// Writes a row-major matrix. A file appears whole or not at all; the path "-" means standard output. Throws
/// FileError(not_a_file, cannot_write).
template <class T>
void write_npy(const std::string& path, std::uint64_t rows, std::uint64_t columns, const std::vector<T>& elements);

}  // namespace tilewright::tool
