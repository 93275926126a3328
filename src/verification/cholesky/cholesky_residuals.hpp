// Residuals of Cholesky factors and of the systems that they solve: |A - L L^H| <= gamma(n + 3) |L| |L^H| and |L L^H X
// - B| <= gamma(n + 4) (4 |L| |L^H| |X| + |B|) element by element, the second to first order in the roundoff (Higham,
// "Accuracy and Stability of Numerical Algorithms", 2nd ed., theorems 10.3 and 10.4), and the errors of operations with
// small results. For complex numbers both factors are sqrt(2) gamma(2 n + 12).
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

/// Returns a description of the first element of L L^H, in the first `rows` rows, whose error exceeds its bound; empty
/// if there is none. A and L are of order n; elements above their diagonals are not read. `small_error` is that of
/// SmallNumbers. `scales_rows`: rows with a diagonal element near the ends of the range may lose u sqrt(a_ii a_jj), as
/// on GPUs.
template <class T>
std::string wrong_cholesky_factor(const MatrixView<T>& a, const MatrixView<T>& l, std::uint64_t n, std::uint64_t rows,
                                  Wide<detail::Part<T>> small_error, bool scales_rows = false);

/// Returns a description of the first residual of L L^H X = B that exceeds its bound; empty if there is none. For an
/// upper factor, `l` is the view of U^T: with Uplo::upper the system is that of its conjugate, U^H U X = B.
template <class T>
std::string wrong_cholesky_solution(const MatrixView<T>& l, Uplo uplo, const MatrixView<T>& b, const MatrixView<T>& x,
                                    std::uint64_t n, std::uint64_t nrhs, Wide<detail::Part<T>> small_error);

/// Returns what is wrong with the lower triangle X of the inverse of A = L L^H; empty if nothing is: |I - A X| is at
/// most 30 n u |A| |X| in the 1-norm, LAPACK's threshold for potri (dpot03), and the diagonal of X is real.
template <class T>
std::string wrong_cholesky_inverse(const MatrixView<T>& l, const MatrixView<T>& x, std::uint64_t n);

}  // namespace tilewright::verification
