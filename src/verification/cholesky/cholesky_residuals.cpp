#include "verification/cholesky/cholesky_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "verification/common/residual.hpp"

namespace tilewright::verification {
namespace {

// Returns the first rows of L, row by row.
template <class T>
std::vector<Wide<T>> rows_of(const MatrixView<T>& l, std::uint64_t rows) {
  std::vector<Wide<T>> result(rows * rows, Wide<T>{0});
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j <= i; ++j) result[i * rows + j] = l(i, j);
  return result;
}

// Whether a kernel that scales rows scales that of this diagonal element.
template <class T>
bool is_scaled(Wide<T> diagonal) {
  constexpr int limit = sizeof(T) == 8 ? 300 : 40;
  return diagonal < std::ldexp(Wide<T>{1}, -limit) || diagonal >= std::ldexp(Wide<T>{1}, limit);
}

}  // namespace

template <class T>
std::string wrong_cholesky_factor(const MatrixView<T>& a, const MatrixView<T>& l, std::uint64_t n, std::uint64_t rows,
                                  Wide<T> small_error, bool scales_rows) {
  using Real = Wide<T>;
  const std::vector<Real> of_l = rows_of(l, rows);
  const Real gamma = gamma_factor<T>(n + 3), roundoff = static_cast<Real>(std::numeric_limits<T>::epsilon()) / 2;
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j <= i; ++j) {
      const Real *const x = &of_l[i * rows], *const y = &of_l[j * rows];
      DotProduct<T> sum{-static_cast<Real>(a(i, j)), 0};
      for (std::uint64_t k = 0; k <= j; ++k) sum.add(x[k], y[k]);
      Real bound = gamma * sum.size + small_error * (y[j] + static_cast<Real>(2 * n));
      const Real a_ii = a(i, i), a_jj = a(j, j);
      if (scales_rows && (is_scaled<T>(a_ii) || is_scaled<T>(a_jj)))
        bound += roundoff * std::sqrt(a_ii) * std::sqrt(a_jj);
      if (const std::string wrong = excess(sum.value, bound); !wrong.empty())
        return "the error of L L^T at (" + std::to_string(i) + ", " + std::to_string(j) + ") is " + wrong;
    }
  return {};
}

template <class T>
std::string wrong_cholesky_solution(const MatrixView<T>& l, const MatrixView<T>& b, const MatrixView<T>& x,
                                    std::uint64_t n, std::uint64_t nrhs, Wide<T> small_error) {
  using Real = Wide<T>;
  const std::vector<Real> of_l = rows_of(l, n);
  const Real gamma = static_cast<Real>(1.01L) * gamma_factor<T>(n + 4);  // 1.01: terms of second order
  for (std::uint64_t column = 0; column < nrhs; ++column) {
    std::vector<DotProduct<T>> y(n);  // L^T X
    for (std::uint64_t j = 0; j < n; ++j) {
      const Real of_x = x(j, column);
      for (std::uint64_t i = 0; i <= j; ++i) y[i].add(of_l[j * n + i], of_x);
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      const Real right = b(i, column);
      Real residual = -right, size = 0;
      for (std::uint64_t j = 0; j <= i; ++j) {
        residual += of_l[i * n + j] * y[j].value;
        size += std::abs(of_l[i * n + j]) * y[j].size;
      }
      const Real small = small_error * static_cast<Real>(8 * n + 32) * std::max(Real{1}, of_l[i * n + i]);
      const Real bound = gamma * (4 * size + std::abs(right)) + small;
      if (const std::string wrong = excess(residual, bound); !wrong.empty())
        return "the residual of equation " + std::to_string(i) + ", right-hand side " + std::to_string(column) +
               ", is " + wrong;
    }
  }
  return {};
}

template std::string wrong_cholesky_factor(const MatrixView<float>&, const MatrixView<float>&, std::uint64_t,
                                           std::uint64_t, double, bool);
template std::string wrong_cholesky_factor(const MatrixView<double>&, const MatrixView<double>&, std::uint64_t,
                                           std::uint64_t, long double, bool);
template std::string wrong_cholesky_solution(const MatrixView<float>&, const MatrixView<float>&,
                                             const MatrixView<float>&, std::uint64_t, std::uint64_t, double);
template std::string wrong_cholesky_solution(const MatrixView<double>&, const MatrixView<double>&,
                                             const MatrixView<double>&, std::uint64_t, std::uint64_t, long double);

}  // namespace tilewright::verification
