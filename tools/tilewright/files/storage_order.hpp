// Storage orders of matrices in files and in device memory.
#pragma once

#include <cstddef>
#include <vector>

#include "files/npy.hpp"

namespace tilewright::tool {

/// Returns the storage order of a file's matrix: Fortran order is column-major.
inline Layout layout_of(const NpyMatrix& matrix) {
  return matrix.header.fortran_order ? Layout::column_major : Layout::row_major;
}

/// Returns where element (i, j) of a dense matrix is.
inline std::size_t place_of(Layout layout, std::size_t rows, std::size_t columns, std::size_t i, std::size_t j) {
  return layout == Layout::row_major ? i * columns + j : j * rows + i;
}

/// Returns the first `rows` x `columns` elements of a matrix of `stored_rows` rows in another storage order.
template <class T>
std::vector<T> rearranged(const std::vector<T>& elements, Layout from, std::size_t stored_rows, Layout to,
                          std::size_t rows, std::size_t columns) {
  if (from == to && stored_rows == rows) return elements;
  std::vector<T> result(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      result[place_of(to, rows, columns, i, j)] = elements[place_of(from, stored_rows, columns, i, j)];
  return result;
}

/// Returns B in A's layout, because one call has one layout for both.
template <class T>
std::vector<T> in_layout(const NpyMatrix& b, Layout layout) {
  const std::size_t rows = b.header.rows;
  return rearranged(elements_as<T>(b), layout_of(b), rows, layout, rows, b.header.columns);
}

}  // namespace tilewright::tool
