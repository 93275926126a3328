// Residuals of triangular systems: |T X - alpha B| <= gamma(k + 4) (|T| |X| + |alpha B|) element by element (Higham,
// "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorem 8.5), and the errors of operations with small
// results. For complex numbers the factor is sqrt(2) gamma(2 k + 12).
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/triangular.hpp"
#include "verification/common/matrix_view.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// A solved system T X = alpha B in host memory. T is op(A), or its transpose for Side::right, whose X and B are
/// transposed too.
template <class T>
struct TriangularSystem {
  std::uint64_t order = 0, nrhs = 0;
  MatrixView<T> t;             ///< elements outside the triangle are not read, nor is the diagonal if it is_unit
  bool is_conjugated = false;  ///< T holds the conjugates of the elements of `t`
  bool is_lower = true, is_unit = false;
  T alpha{1};
  MatrixView<T> b, x;
};

/// Returns the system of a trsm() call with B before the call and X after it.
template <class T>
TriangularSystem<T> triangular_system(const TrsmProblem& p, T alpha, const T* a, const T* b, const T* x) {
  const bool is_left = p.side == Side::left, is_transposed = is_left == (p.trans != Transpose::no);
  const std::uint64_t order = is_left ? p.m : p.n, nrhs = is_left ? p.n : p.m;
  const Transpose of_t = is_transposed ? Transpose::yes : Transpose::no,
                  of_b = is_left ? Transpose::no : Transpose::yes;
  return {.order = order,
          .nrhs = nrhs,
          .t = make_view(a, p.layout, of_t, order, order, p.lda),
          .is_conjugated = p.trans == Transpose::conjugate_transpose,
          .is_lower = (p.uplo == Uplo::lower) != is_transposed,
          .is_unit = p.diag == Diag::unit,
          .alpha = alpha,
          .b = make_view(b, p.layout, of_b, order, nrhs, p.ldb),
          .x = make_view(x, p.layout, of_b, order, nrhs, p.ldb)};
}

/// Returns a description of the first residual that exceeds its bound; empty if there is none. `small_error` is that of
/// SmallNumbers. `exact`: all residuals must be 0.
template <class T>
std::string wrong_solution(const TriangularSystem<T>& system, Wide<detail::Part<T>> small_error, bool exact = false);

}  // namespace tilewright::verification
