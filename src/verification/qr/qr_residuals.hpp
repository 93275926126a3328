// Quality of QR factors, of products with Q, and of solutions of least-squares problems, by the measures of LAPACK's
// tests: backward errors in units of the roundoff, for which less than 30 is good. They are computed in higher
// precision, so that the measure's own error does not matter.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/matrix.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// Threshold of LAPACK's tests.
inline constexpr double qr_threshold = 30;

/// Real part of an element in higher precision.
template <class T>
using QrPart = Wide<detail::Part<T>>;

/// A matrix in higher precision, stored by columns.
template <class T>
struct QrMatrix {
  using Number = WideNumber<T>;

  std::uint64_t rows = 0, columns = 0;
  std::vector<Number> elements{};

  QrMatrix() = default;
  QrMatrix(std::uint64_t of_rows, std::uint64_t of_columns)
      : rows(of_rows), columns(of_columns), elements(of_rows * of_columns) {}
  /// Copies a stored matrix.
  QrMatrix(const T* data, Layout layout, std::uint64_t of_rows, std::uint64_t of_columns, std::uint64_t ld);

  Number& operator()(std::uint64_t i, std::uint64_t j) { return elements[j * rows + i]; }
  const Number& operator()(std::uint64_t i, std::uint64_t j) const { return elements[j * rows + i]; }

  /// Returns the part of `of_rows` x `of_columns` elements from the first one on; elements outside are 0.
  QrMatrix first(std::uint64_t of_rows, std::uint64_t of_columns) const;
};

template <class T>
QrMatrix<T> adjoint_of(const QrMatrix<T>& a);
template <class T>
QrMatrix<T> product_of(const QrMatrix<T>& a, const QrMatrix<T>& b);
template <class T>
QrMatrix<T> difference_of(const QrMatrix<T>& a, const QrMatrix<T>& b);
/// Returns the matrix with ones on its diagonal.
template <class T>
QrMatrix<T> identity_of(std::uint64_t rows, std::uint64_t columns);
/// Returns the largest sum of the magnitudes of a column.
template <class T>
QrPart<T> norm_of(const QrMatrix<T>& a);

/// The reflectors below the diagonal of a factored matrix, and their factors.
template <class T>
struct QrReflectors {
  QrMatrix<T> vectors;
  std::vector<WideNumber<T>> tau;
};

/// Returns Q C, or Q^H C.
template <class T>
QrMatrix<T> multiplied_by_q(const QrReflectors<T>& q, bool is_adjoint, QrMatrix<T> c);

/// Returns the factors of LAPACK's unblocked geqr2 in higher precision, without scaling.
template <class T>
QrReflectors<T> reference_factors(const QrMatrix<T>& a);

/// Returns |A - Q R| / (max(m, 1) |A| u), like dqrt01. `small_error` is added to the size for each row and column.
template <class T>
double factors_ratio(const QrMatrix<T>& a, const QrReflectors<T>& factors, QrPart<T> small_error = 0);

/// Returns |I - Q^H Q| / (m u) of the columns of a matrix, like dqrt02.
template <class T>
double orthogonality_ratio(const QrMatrix<T>& q);

/// Returns |X - Y| / (order |Y| u), like dqrt03 and dqrt02.
template <class T>
double difference_ratio(const QrMatrix<T>& x, const QrMatrix<T>& y, std::uint64_t order, QrPart<T> small_error = 0);

/// Returns the ratio of a solution of op(A) X = B: if op(A) has at least as many rows as columns, |op(A)^H R| /
/// (|op(A)| |B| max(m, n, nrhs) u) with R = B - op(A) X, like dqrt17. Otherwise the larger one of |R| / (|op(A)| |X|
/// max(m, n) u), like dqrt16, and the ratio of the part of X outside the row space, like dqrt14. `a` is op(A).
template <class T>
double least_squares_ratio(const QrMatrix<T>& a, const QrMatrix<T>& x, const QrMatrix<T>& b);

}  // namespace tilewright::verification
