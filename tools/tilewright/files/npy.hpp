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
  std::string path{};  ///< the file that it was read from, for messages
};

/// Reads a matrix. Throws FileError; allocates nothing before the file's size has been found to match its header.
NpyMatrix read_npy(const std::string& path, NpyElements elements = NpyElements::numbers,
                   NpyShape shape = NpyShape::matrix);

/// The header alone. Throws FileError, also where the file is shorter or longer than that says.
NpyHeader read_npy_header(const std::string& path, NpyElements elements);

/// Writes a matrix of elements that were only moved, as write_npy() does.
void write_npy(const std::string& path, const NpyMatrix& matrix);

/// The elements as T, one of the host types, rounded where T has fewer bits. Throws FileError(out_of_range), which
/// names the element, where a finite number would become infinite, and Error(unsupported_type) for complex elements
/// where T is real.
template <class T>
std::vector<T> elements_as(const NpyMatrix& matrix);

/// Writes a matrix in C order: a file, whole or not at all, or standard output where the path is "-".
/// Throws FileError(not_a_file, cannot_write).
template <class T>
void write_npy(const std::string& path, std::uint64_t rows, std::uint64_t columns, const std::vector<T>& elements);

}  // namespace tilewright::tool
