// Views that hide layout, transposition and leading dimension of matrices in host memory.
#pragma once

#include <cstdint>

#include "tilewright/matrix.hpp"

namespace tilewright::verification {

/// Element (i, j) of op(X), independent of its storage.
template <class T>
struct MatrixView {
  const T* data;
  std::uint64_t row_stride;
  std::uint64_t column_stride;

  const T& operator()(std::uint64_t row, std::uint64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
};

/// Returns a view of op(X) with `rows` x `columns` elements. A leading dimension of 0 means dense storage.
template <class T>
MatrixView<T> make_view(const T* data, Layout layout, Transpose transpose, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t leading_dimension) {
  const bool rows_are_contiguous = (layout == Layout::row_major) == (transpose == Transpose::no);
  const std::uint64_t dense = rows_are_contiguous ? columns : rows;
  const std::uint64_t stride = leading_dimension == 0 ? dense : leading_dimension;
  return rows_are_contiguous ? MatrixView<T>{data, stride, 1} : MatrixView<T>{data, 1, stride};
}

}  // namespace tilewright::verification
