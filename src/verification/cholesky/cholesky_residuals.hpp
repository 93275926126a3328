// Residuals of Cholesky factors and of the systems that they solve: |A - L L^T| <= gamma(n + 3) |L| |L^T| and |L L^T X
// - B| <= gamma(n + 4) (4 |L| |L^T| |X| + |B|) element by element, the second to first order in the roundoff (Higham,
// "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorems 10.3 and 10.4), and the errors of operations with
// small results.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/matrix.hpp"
#include "verification/common/matrix_view.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// Returns a view of the lower triangle of A or L, or of the transpose of the upper triangle of A or U.
template <class T>
MatrixView<T> lower_view(const T* data, Layout layout, Uplo uplo, std::uint64_t n, std::uint64_t ld) {
  return make_view(data, layout, uplo == Uplo::lower ? Transpose::no : Transpose::yes, n, n, ld);
}

/// Returns a description of the first element of L L^T, in the first `rows` rows, whose error exceeds its bound; empty
/// if there is none. A and L are of order n; elements above their diagonals are not read. `small_error` is that of
/// SmallNumbers. `scales_rows`: rows with a diagonal element near the ends of the range may lose u sqrt(a_ii a_jj), as
/// on GPUs.
template <class T>
std::string wrong_cholesky_factor(const MatrixView<T>& a, const MatrixView<T>& l, std::uint64_t n, std::uint64_t rows,
                                  Wide<T> small_error, bool scales_rows = false);

/// Returns a description of the first residual of L L^T X = B that exceeds its bound; empty if there is none.
template <class T>
std::string wrong_cholesky_solution(const MatrixView<T>& l, const MatrixView<T>& b, const MatrixView<T>& x,
                                    std::uint64_t n, std::uint64_t nrhs, Wide<T> small_error);

}  // namespace tilewright::verification
