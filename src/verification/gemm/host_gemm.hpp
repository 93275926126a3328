// A product on matrices in host memory, and views that hide layout, transposition and leading dimension.
#pragma once

#include <cstdint>

#include "kernels/host_type.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::verification {

/// One call of gemm(). The pointers are to the matrices' first elements, offsets are already added.
template <class T>
struct HostGemm {
  GemmProblem problem;
  double alpha = 1;
  const T* a = nullptr;
  const T* b = nullptr;
  double beta = 0;
  const T* c = nullptr;  ///< C before the call; not read where beta = 0

  bool reads_product() const { return problem.k > 0 && static_cast<detail::Accumulator<T>>(alpha) != 0; }
  bool reads_c() const { return static_cast<detail::Accumulator<T>>(beta) != 0; }
};

/// Element (i, j) of op(X), wherever it is stored.
template <class T>
struct MatrixView {
  const T* data;
  std::uint64_t row_stride;
  std::uint64_t column_stride;

  const T& operator()(std::uint64_t row, std::uint64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
};

/// A view of op(X) with `rows` x `columns` elements; a leading dimension of 0 means densely stored.
template <class T>
MatrixView<T> make_view(const T* data, Layout layout, Transpose transpose, std::uint64_t rows, std::uint64_t columns,
                        std::uint64_t leading_dimension) {
  const bool rows_are_contiguous = (layout == Layout::row_major) == (transpose == Transpose::no);
  const std::uint64_t dense = rows_are_contiguous ? columns : rows;
  const std::uint64_t stride = leading_dimension == 0 ? dense : leading_dimension;
  return rows_are_contiguous ? MatrixView<T>{data, stride, 1} : MatrixView<T>{data, 1, stride};
}

template <class T>
MatrixView<T> view_a(const HostGemm<T>& call) {
  const GemmProblem& p = call.problem;
  return make_view(call.a, p.layout, p.trans_a, p.m, p.k, p.lda);
}

template <class T>
MatrixView<T> view_b(const HostGemm<T>& call) {
  const GemmProblem& p = call.problem;
  return make_view(call.b, p.layout, p.trans_b, p.k, p.n, p.ldb);
}

/// `c` is call.c or the result of the call.
template <class T>
MatrixView<T> view_c(const GemmProblem& problem, const T* c) {
  return make_view(c, problem.layout, Transpose::no, problem.m, problem.n, problem.ldc);
}

}  // namespace tilewright::verification
