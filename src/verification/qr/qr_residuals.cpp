#include "verification/qr/qr_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace tilewright::verification {
namespace {

template <class T>
QrPart<T> roundoff() {
  return static_cast<QrPart<T>>(std::numeric_limits<detail::Part<T>>::epsilon()) / 2;
}

template <class T>
WideNumber<T> conjugated(const WideNumber<T>& x) {
  if constexpr (detail::is_complex_host_type<T>)
    return std::conj(x);
  else
    return x;
}

template <class T>
double ratio_of(QrPart<T> error, QrPart<T> size) {
  return error == 0 ? 0 : static_cast<double>(error / (size * roundoff<T>()));
}

// C = H C with H = I - tau v v^H, where v is column `step` of the vectors.
template <class T>
void reflect(const QrMatrix<T>& vectors, std::uint64_t step, const WideNumber<T>& tau, QrMatrix<T>& c) {
  for (std::uint64_t j = 0; j < c.columns; ++j) {
    WideNumber<T> sum = c(step, j);
    for (std::uint64_t i = step + 1; i < c.rows; ++i) sum += conjugated<T>(vectors(i, step)) * c(i, j);
    sum *= tau;
    c(step, j) -= sum;
    for (std::uint64_t i = step + 1; i < c.rows; ++i) c(i, j) -= vectors(i, step) * sum;
  }
}

template <class T>
QrMatrix<T> upper_part(const QrMatrix<T>& a) {
  QrMatrix<T> r(a.rows, a.columns);
  for (std::uint64_t j = 0; j < a.columns; ++j)
    for (std::uint64_t i = 0; i <= j && i < a.rows; ++i) r(i, j) = a(i, j);
  return r;
}

}  // namespace

template <class T>
QrMatrix<T>::QrMatrix(const T* data, Layout layout, std::uint64_t of_rows, std::uint64_t of_columns, std::uint64_t ld)
    : QrMatrix(of_rows, of_columns) {
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < columns; ++j)
      (*this)(i, j) = static_cast<Number>(data[layout == Layout::row_major ? i * ld + j : j * ld + i]);
}

template <class T>
QrMatrix<T> QrMatrix<T>::first(std::uint64_t of_rows, std::uint64_t of_columns) const {
  QrMatrix part(of_rows, of_columns);
  for (std::uint64_t j = 0; j < std::min(columns, of_columns); ++j)
    for (std::uint64_t i = 0; i < std::min(rows, of_rows); ++i) part(i, j) = (*this)(i, j);
  return part;
}

template <class T>
QrMatrix<T> adjoint_of(const QrMatrix<T>& a) {
  QrMatrix<T> result(a.columns, a.rows);
  for (std::uint64_t j = 0; j < a.columns; ++j)
    for (std::uint64_t i = 0; i < a.rows; ++i) result(j, i) = conjugated<T>(a(i, j));
  return result;
}

template <class T>
QrMatrix<T> product_of(const QrMatrix<T>& a, const QrMatrix<T>& b) {
  QrMatrix<T> result(a.rows, b.columns);
  for (std::uint64_t j = 0; j < b.columns; ++j)
    for (std::uint64_t k = 0; k < a.columns; ++k) {
      const WideNumber<T> factor = b(k, j);
      for (std::uint64_t i = 0; i < a.rows; ++i) result(i, j) += a(i, k) * factor;
    }
  return result;
}

template <class T>
QrMatrix<T> difference_of(const QrMatrix<T>& a, const QrMatrix<T>& b) {
  QrMatrix<T> result = a;
  for (std::size_t i = 0; i < result.elements.size(); ++i) result.elements[i] -= b.elements[i];
  return result;
}

template <class T>
QrMatrix<T> identity_of(std::uint64_t rows, std::uint64_t columns) {
  QrMatrix<T> result(rows, columns);
  for (std::uint64_t i = 0; i < std::min(rows, columns); ++i) result(i, i) = 1;
  return result;
}

template <class T>
QrPart<T> norm_of(const QrMatrix<T>& a) {
  QrPart<T> largest = 0;
  for (std::uint64_t j = 0; j < a.columns; ++j) {
    QrPart<T> sum = 0;
    for (std::uint64_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
    if (!(sum <= largest)) largest = sum;  // also NaN
  }
  return largest;
}

template <class T>
QrMatrix<T> multiplied_by_q(const QrReflectors<T>& q, bool is_adjoint, QrMatrix<T> c) {
  for (std::uint64_t step = 0; step < q.tau.size(); ++step) {
    const std::uint64_t i = is_adjoint ? step : q.tau.size() - 1 - step;
    reflect(q.vectors, i, is_adjoint ? conjugated<T>(q.tau[i]) : q.tau[i], c);
  }
  return c;
}

template <class T>
QrReflectors<T> reference_factors(const QrMatrix<T>& a) {
  using Number = WideNumber<T>;
  QrReflectors<T> result{a, std::vector<Number>(std::min(a.rows, a.columns))};
  QrMatrix<T>& f = result.vectors;
  for (std::uint64_t j = 0; j < result.tau.size(); ++j) {
    QrPart<T> squares = 0;
    for (std::uint64_t i = j + 1; i < a.rows; ++i) squares += std::norm(f(i, j));
    const Number alpha = f(j, j);
    if (squares == 0 && std::imag(alpha) == 0) continue;
    const QrPart<T> beta = -std::copysign(std::sqrt(std::norm(alpha) + squares), std::real(alpha));
    result.tau[j] = (Number(beta) - alpha) / beta;
    for (std::uint64_t i = j + 1; i < a.rows; ++i) f(i, j) /= alpha - Number(beta);
    QrMatrix<T> right(a.rows, a.columns - j - 1);
    for (std::uint64_t k = j + 1; k < a.columns; ++k)
      for (std::uint64_t i = 0; i < a.rows; ++i) right(i, k - j - 1) = f(i, k);
    reflect(f, j, conjugated<T>(result.tau[j]), right);
    for (std::uint64_t k = j + 1; k < a.columns; ++k)
      for (std::uint64_t i = 0; i < a.rows; ++i) f(i, k) = right(i, k - j - 1);
    f(j, j) = Number(beta);
  }
  return result;
}

template <class T>
double factors_ratio(const QrMatrix<T>& a, const QrReflectors<T>& factors, QrPart<T> small_error) {
  return difference_ratio(multiplied_by_q(factors, false, upper_part(factors.vectors)), a, a.rows, small_error);
}

template <class T>
double orthogonality_ratio(const QrMatrix<T>& q) {
  const QrMatrix<T> gram = product_of(adjoint_of(q), q);
  return ratio_of<T>(norm_of(difference_of(gram, identity_of<T>(q.columns, q.columns))),
                     static_cast<QrPart<T>>(std::max<std::uint64_t>(1, q.rows)));
}

template <class T>
double difference_ratio(const QrMatrix<T>& x, const QrMatrix<T>& y, std::uint64_t order, QrPart<T> small_error) {
  const auto size = static_cast<QrPart<T>>(std::max<std::uint64_t>(1, order));
  const QrPart<T> small = small_error / roundoff<T>() * static_cast<QrPart<T>>(y.rows);
  return ratio_of<T>(norm_of(difference_of(x, y)), size * (norm_of(y) + small));
}

template <class T>
double least_squares_ratio(const QrMatrix<T>& a, const QrMatrix<T>& x, const QrMatrix<T>& b) {
  const QrMatrix<T> residual = difference_of(b, product_of(a, x));
  const auto order = static_cast<QrPart<T>>(std::max(a.rows, a.columns));
  if (a.rows >= a.columns) {
    const QrPart<T> size = norm_of(a) * norm_of(b) * std::max(order, static_cast<QrPart<T>>(b.columns));
    return ratio_of<T>(norm_of(product_of(adjoint_of(a), residual)), size);
  }
  const double equations = ratio_of<T>(norm_of(residual), norm_of(a) * norm_of(x) * order);
  // The last rows of Q^H X, where the first columns of Q span the row space.
  QrMatrix<T> outside = multiplied_by_q(reference_factors(adjoint_of(a)), true, x);
  for (std::uint64_t j = 0; j < x.columns; ++j)
    for (std::uint64_t i = 0; i < a.rows; ++i) outside(i, j) = 0;
  return std::max(equations, ratio_of<T>(norm_of(outside), norm_of(x) * order));
}

#define TILEWRIGHT_QR_RESIDUALS(T)                                                                    \
  template struct QrMatrix<T>;                                                                        \
  template QrMatrix<T> adjoint_of(const QrMatrix<T>&);                                                \
  template QrMatrix<T> product_of(const QrMatrix<T>&, const QrMatrix<T>&);                            \
  template QrMatrix<T> difference_of(const QrMatrix<T>&, const QrMatrix<T>&);                         \
  template QrMatrix<T> identity_of<T>(std::uint64_t, std::uint64_t);                                  \
  template QrPart<T> norm_of(const QrMatrix<T>&);                                                     \
  template QrMatrix<T> multiplied_by_q(const QrReflectors<T>&, bool, QrMatrix<T>);                    \
  template QrReflectors<T> reference_factors(const QrMatrix<T>&);                                     \
  template double factors_ratio(const QrMatrix<T>&, const QrReflectors<T>&, QrPart<T>);               \
  template double orthogonality_ratio(const QrMatrix<T>&);                                            \
  template double difference_ratio(const QrMatrix<T>&, const QrMatrix<T>&, std::uint64_t, QrPart<T>); \
  template double least_squares_ratio(const QrMatrix<T>&, const QrMatrix<T>&, const QrMatrix<T>&);
TILEWRIGHT_QR_RESIDUALS(float)
TILEWRIGHT_QR_RESIDUALS(double)
TILEWRIGHT_QR_RESIDUALS(std::complex<float>)
TILEWRIGHT_QR_RESIDUALS(std::complex<double>)
#undef TILEWRIGHT_QR_RESIDUALS

}  // namespace tilewright::verification
