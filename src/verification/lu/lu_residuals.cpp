#include "verification/lu/lu_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace tilewright::verification {
namespace {

// Raises `largest` to `value`; NaN counts as larger than any number.
void raise(long double& largest, long double value) {
  if (!(value <= largest)) largest = value;
}

template <class T>
long double roundoff() {
  return std::numeric_limits<T>::epsilon() / 2;
}

// Returns error / size, or 0 if the error is 0, even if the size is 0.
long double ratio(long double error, long double size) { return error == 0 ? 0 : error / size; }

}  // namespace

template <class T>
LuQuality lu_quality(const LuMatrix<T>& a, const LuMatrix<T>& factors, std::span<const std::int64_t> pivots) {
  const std::uint64_t steps = std::min(a.rows, a.columns);
  std::vector<std::uint64_t> order(a.rows);
  std::iota(order.begin(), order.end(), 0);
  LuQuality quality;
  for (std::uint64_t j = 0; j < steps; ++j) {
    const auto row = static_cast<std::uint64_t>(pivots[j]);
    if (row < j || row >= a.rows) {
      quality.pivots_are_rows = false;
      return quality;
    }
    std::swap(order[j], order[row]);
  }
  const long double u = roundoff<T>(), terms = static_cast<long double>(steps + 4);
  const long double gamma = terms * u / (1 - terms * u);
  long double error_norm = 0, a_norm = 0, element = 0, multiplier = 0;
  for (std::uint64_t j = 0; j < a.columns; ++j) {
    long double error_sum = 0, a_sum = 0;
    for (std::uint64_t i = 0; i < a.rows; ++i) {
      if (i > j && j < steps) raise(multiplier, std::abs(factors(i, j)));
      long double product = 0, size = 0;
      const std::uint64_t last = std::min(std::min(i, j), steps - 1);
      for (std::uint64_t k = 0; k <= last; ++k) {
        const long double term = (k == i ? 1 : factors(i, k)) * factors(k, j);
        product += term;
        size += std::abs(term);
      }
      const long double error = std::abs(product - a(order[i], j));
      error_sum += error;
      a_sum += std::abs(a(i, j));
      raise(element, ratio(error, gamma * size));
    }
    raise(error_norm, error_sum);
    raise(a_norm, a_sum);
  }
  const auto n = static_cast<long double>(std::max(a.rows, a.columns));
  quality.residual = static_cast<double>(ratio(error_norm, n * a_norm * u));
  quality.element = static_cast<double>(element);
  quality.multiplier = static_cast<double>(multiplier);
  return quality;
}

template <class T>
double system_residual(const LuMatrix<T>& a, const LuMatrix<T>& x, const LuMatrix<T>* b, std::uint64_t first,
                       std::uint64_t columns) {
  const std::uint64_t n = a.rows;
  std::vector<long double> sums(n, 0.0L);  // column sums of |A|
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t k = 0; k < n; ++k) sums[k] += std::abs(a(i, k));
  long double a_norm = 0, worst = 0;
  for (const long double sum : sums) raise(a_norm, sum);
  for (std::uint64_t c = first; c < first + columns; ++c) {
    long double error = 0, x_norm = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      long double sum = b != nullptr ? (*b)(i, c) : (i == c ? 1 : 0);
      for (std::uint64_t k = 0; k < n; ++k) sum -= a(i, k) * x(k, c);
      error += std::abs(sum);
      x_norm += std::abs(x(i, c));
    }
    raise(worst, ratio(error, static_cast<long double>(n) * a_norm * x_norm * roundoff<T>()));
  }
  return static_cast<double>(worst);
}

template LuQuality lu_quality(const LuMatrix<float>&, const LuMatrix<float>&, std::span<const std::int64_t>);
template LuQuality lu_quality(const LuMatrix<double>&, const LuMatrix<double>&, std::span<const std::int64_t>);
template double system_residual(const LuMatrix<float>&, const LuMatrix<float>&, const LuMatrix<float>*, std::uint64_t,
                                std::uint64_t);
template double system_residual(const LuMatrix<double>&, const LuMatrix<double>&, const LuMatrix<double>*,
                                std::uint64_t, std::uint64_t);

}  // namespace tilewright::verification
