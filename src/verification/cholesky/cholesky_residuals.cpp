#include "verification/cholesky/cholesky_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <vector>

#include "verification/cholesky/definite_matrix.hpp"
#include "verification/common/residual.hpp"
#include "verification/common/substitution_factor.hpp"

namespace tilewright::verification {
namespace {

// Returns the first rows of L, row by row.
template <class T>
std::vector<WideNumber<T>> rows_of(const MatrixView<T>& l, std::uint64_t rows) {
  std::vector<WideNumber<T>> result(rows * rows, WideNumber<T>{0});
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j <= i; ++j) result[i * rows + j] = WideNumber<T>(l(i, j));
  return result;
}

// Returns the size of a complex residual, or a real one with its sign.
template <class Number>
auto shown(const Number& residual) {
  if constexpr (std::is_floating_point_v<Number>)
    return residual;
  else
    return std::abs(residual);
}

// Operations with small results per product, relative to a real product.
template <class T>
constexpr int small_terms = detail::is_complex_host_type<T> ? 6 : 1;

// Whether a kernel that scales rows scales that of this diagonal element.
template <class T, class Real>
bool is_scaled(Real diagonal) {
  constexpr int limit = sizeof(detail::Part<T>) == 8 ? 300 : 40;
  return diagonal < std::ldexp(Real{1}, -limit) || diagonal >= std::ldexp(Real{1}, limit);
}

}  // namespace

template <class T>
std::string wrong_cholesky_factor(const MatrixView<T>& a, const MatrixView<T>& l, std::uint64_t n, std::uint64_t rows,
                                  Wide<detail::Part<T>> small_error, bool scales_rows) {
  using Real = Wide<detail::Part<T>>;
  using Number = WideNumber<T>;
  const std::vector<Number> of_l = rows_of(l, rows);
  const Real factor = substitution_factor<T>(n, 3, 12);
  const Real roundoff = static_cast<Real>(std::numeric_limits<detail::Part<T>>::epsilon()) / 2;
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j <= i; ++j) {
      const auto at = [&] { return " at (" + std::to_string(i) + ", " + std::to_string(j) + ") is "; };
      const Number *const x = &of_l[i * rows], *const y = &of_l[j * rows];
      if (i == j && std::imag(x[j]) != 0) return "the imaginary part of L" + at() + "not 0";
      const Number wanted = i == j ? Number(std::real(a(i, j))) : Number(a(i, j));
      DotProduct<T> sum{-wanted, 0};
      for (std::uint64_t k = 0; k <= j; ++k) sum.add(x[k], conjugate_of(y[k]));
      Real bound = factor * sum.size + small_terms<T> * small_error * (std::real(y[j]) + static_cast<Real>(2 * n));
      const Real a_ii = std::real(a(i, i)), a_jj = std::real(a(j, j));
      if (scales_rows && (is_scaled<T>(a_ii) || is_scaled<T>(a_jj)))
        bound += roundoff * std::sqrt(a_ii) * std::sqrt(a_jj);
      if (const std::string wrong = excess(shown(sum.value), bound); !wrong.empty())
        return "the error of L L^H" + at() + wrong;
    }
  return {};
}

template <class T>
std::string wrong_cholesky_solution(const MatrixView<T>& l, Uplo uplo, const MatrixView<T>& b, const MatrixView<T>& x,
                                    std::uint64_t n, std::uint64_t nrhs, Wide<detail::Part<T>> small_error) {
  using Real = Wide<detail::Part<T>>;
  using Number = WideNumber<T>;
  std::vector<Number> of_l = rows_of(l, n);
  if (uplo == Uplo::upper) std::transform(of_l.begin(), of_l.end(), of_l.begin(), conjugate_of<Number>);
  // 1.01: terms of second order
  const Real factor = static_cast<Real>(1.01L) * substitution_factor<T>(n, 4, 12);
  for (std::uint64_t column = 0; column < nrhs; ++column) {
    std::vector<DotProduct<T>> y(n);  // L^H X
    for (std::uint64_t j = 0; j < n; ++j) {
      const Number of_x(x(j, column));
      for (std::uint64_t i = 0; i <= j; ++i) y[i].add(conjugate_of(of_l[j * n + i]), of_x);
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      const Number right(b(i, column));
      Number residual = -right;
      Real size = 0;
      for (std::uint64_t j = 0; j <= i; ++j) {
        residual += of_l[i * n + j] * y[j].value;
        size += std::abs(of_l[i * n + j]) * y[j].size;
      }
      const Real small =
          small_terms<T> * small_error * static_cast<Real>(8 * n + 32) * std::max(Real{1}, std::real(of_l[i * n + i]));
      const Real bound = factor * (4 * size + std::abs(right)) + small;
      if (const std::string wrong = excess(shown(residual), bound); !wrong.empty())
        return "the residual of equation " + std::to_string(i) + ", right-hand side " + std::to_string(column) +
               ", is " + wrong;
    }
  }
  return {};
}

template <class T>
std::string wrong_cholesky_inverse(const MatrixView<T>& l, const MatrixView<T>& x, std::uint64_t n) {
  using Real = Wide<detail::Part<T>>;
  using Number = WideNumber<T>;
  const std::vector<Number> of_l = rows_of(l, n);
  std::vector<Number> a(n * n, Number{0}), inverse(n * n), residual(n * n, Number{0});
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j <= i; ++j) {
      Number sum{0};
      for (std::uint64_t k = 0; k <= j; ++k) sum += of_l[i * n + k] * conjugate_of(of_l[j * n + k]);
      a[i * n + j] = sum;
      a[j * n + i] = conjugate_of(sum);
      inverse[i * n + j] = Number(x(i, j));
      inverse[j * n + i] = conjugate_of(inverse[i * n + j]);
      if (i == j && std::imag(x(i, j)) != 0)
        return "the imaginary part of the inverse at (" + std::to_string(i) + ", " + std::to_string(i) + ") is not 0";
    }
  for (std::uint64_t i = 0; i < n; ++i) {
    residual[i * n + i] = Number{1};
    for (std::uint64_t k = 0; k < n; ++k)
      for (std::uint64_t j = 0; j < n; ++j) residual[i * n + j] -= a[i * n + k] * inverse[k * n + j];
  }
  const auto norm = [&](const std::vector<Number>& of) {
    Real most = 0;
    for (std::uint64_t j = 0; j < n; ++j) {
      Real sum = 0;
      for (std::uint64_t i = 0; i < n; ++i) sum += std::abs(of[i * n + j]);
      if (!(sum <= most)) most = sum;  // also if the sum is NaN
    }
    return most;
  };
  const Real roundoff = static_cast<Real>(std::numeric_limits<detail::Part<T>>::epsilon()) / 2;
  const Real bound = 30 * static_cast<Real>(n) * roundoff * norm(a) * norm(inverse);
  if (const std::string wrong = excess(norm(residual), bound); !wrong.empty())
    return "the residual of the inverse is " + wrong;
  return {};
}

#define TILEWRIGHT_INSTANTIATE(T)                                                                                      \
  template std::string wrong_cholesky_factor(const MatrixView<T>&, const MatrixView<T>&, std::uint64_t, std::uint64_t, \
                                             Wide<detail::Part<T>>, bool);                                             \
  template std::string wrong_cholesky_solution(const MatrixView<T>&, Uplo, const MatrixView<T>&, const MatrixView<T>&, \
                                               std::uint64_t, std::uint64_t, Wide<detail::Part<T>>);                   \
  template std::string wrong_cholesky_inverse(const MatrixView<T>&, const MatrixView<T>&, std::uint64_t);
TILEWRIGHT_INSTANTIATE(float)
TILEWRIGHT_INSTANTIATE(double)
TILEWRIGHT_INSTANTIATE(std::complex<float>)
TILEWRIGHT_INSTANTIATE(std::complex<double>)
#undef TILEWRIGHT_INSTANTIATE

}  // namespace tilewright::verification
