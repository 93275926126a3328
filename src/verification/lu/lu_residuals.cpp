#include "verification/lu/lu_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "runtime/system/plain_text.hpp"
#include "verification/common/residual.hpp"

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

// Returns the order of the rows after the interchanges; empty if a pivot is not one of the rows that are left.
std::vector<std::uint64_t> row_order(std::span<const std::int64_t> pivots, std::uint64_t rows) {
  std::vector<std::uint64_t> order(rows);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t i = 0; i < pivots.size(); ++i) {
    const auto row = static_cast<std::uint64_t>(pivots[i]);
    if (row < i || row >= rows) return {};
    std::swap(order[i], order[row]);
  }
  return order;
}

// A matrix in higher precision, stored by rows, or transposed.
template <class T>
class WideMatrix {
 public:
  explicit WideMatrix(const LuMatrix<T>& matrix, bool is_transposed = false)
      : columns_(is_transposed ? matrix.rows : matrix.columns), elements_(matrix.rows * matrix.columns) {
    for (std::uint64_t i = 0; i < matrix.rows; ++i)
      for (std::uint64_t j = 0; j < matrix.columns; ++j)
        elements_[is_transposed ? j * columns_ + i : i * columns_ + j] = static_cast<Wide<T>>(matrix(i, j));
  }
  Wide<T> operator()(std::uint64_t i, std::uint64_t j) const { return elements_[i * columns_ + j]; }

 private:
  std::uint64_t columns_;
  std::vector<Wide<T>> elements_;
};

// A solution with LU factors, one right-hand side at a time.
template <class T>
class LuSolution {
 public:
  using Real = Wide<T>;

  LuSolution(const LuFactors<T>& factors, bool is_transposed, Real small_error)
      : order_(factors.order),
        lu_(factors.lu, is_transposed),
        n_(order_.size()),
        is_transposed_(is_transposed),
        small_error_(small_error) {}

  std::string wrong(const std::vector<Real>& x, const std::vector<Real>& b) const {
    std::vector<DotProduct<T>> inner(n_);  // U X, or L^T P X
    for (std::uint64_t i = 0; i < n_; ++i)
      for (std::uint64_t j = i; j < n_; ++j)
        inner[i].add(is_transposed_ && i == j ? Real{1} : lu_(i, j), x[is_transposed_ ? order_[j] : j]);
    for (std::uint64_t i = 0; i < n_; ++i) {
      const Real right = b[is_transposed_ ? i : order_[i]];
      Real residual = -right, size = 0, largest = 1;
      for (std::uint64_t j = 0; j <= i; ++j) {
        const Real factor = !is_transposed_ && i == j ? Real{1} : lu_(i, j);
        residual += factor * inner[j].value;
        size += std::abs(factor) * inner[j].size;
        largest = std::max(largest, std::abs(factor));
      }
      const Real gamma = static_cast<Real>(1.01L) * gamma_factor<T>(n_ + 4);  // 1.01: terms of second order
      const Real small = small_error_ * static_cast<Real>(8 * (n_ + 4)) * largest;
      if (const std::string text = excess(residual, gamma * (4 * size + std::abs(right)) + small); !text.empty())
        return "the residual of equation " + std::to_string(i) + " is " + text;
    }
    return {};
  }

 private:
  const std::vector<std::uint64_t>& order_;
  WideMatrix<T> lu_;  // of a transposed system: transposed
  std::uint64_t n_;
  bool is_transposed_;
  Real small_error_;
};

}  // namespace

template <class T>
LuQuality lu_quality(const LuMatrix<T>& a, const LuMatrix<T>& factors, std::span<const std::int64_t> pivots) {
  const std::uint64_t steps = std::min(a.rows, a.columns);
  const std::vector<std::uint64_t> order = row_order(pivots.first(steps), a.rows);
  LuQuality quality;
  quality.pivots_are_rows = order.size() == a.rows;
  if (!quality.pivots_are_rows) return quality;
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

template <class T>
LuFactors<T>::LuFactors(const LuMatrix<T>& factors, std::span<const std::int64_t> pivots)
    : lu(factors), order(row_order(pivots, factors.rows)) {
  if (order.size() != factors.rows) throw std::invalid_argument("the pivots are not rows that are left");
  for (std::uint64_t i = 0; i < pivots.size(); ++i)
    if (pivots[i] != static_cast<std::int64_t>(i)) is_odd = !is_odd;
}

template <class T>
std::string wrong_factors(const LuFactors<T>& factors, const LuMatrix<T>& a, Wide<T> small_error) {
  using Real = Wide<T>;
  const std::uint64_t steps = std::min(a.rows, a.columns);
  const Real gamma = gamma_factor<T>(steps + 4);
  const WideMatrix<T> rows(factors.lu), columns(factors.lu, true);
  const auto place = [](std::uint64_t i, std::uint64_t j) {
    return '(' + std::to_string(i) + ", " + std::to_string(j) + ") is ";
  };
  for (std::uint64_t i = 0; i < a.rows; ++i)
    for (std::uint64_t j = 0; j < a.columns; ++j) {
      const bool is_lower = i > j;
      const std::uint64_t last = std::min(i, j);
      if (is_lower && !(std::abs(rows(i, j)) <= 1))
        return 'L' + place(i, j) + detail::general_text(static_cast<double>(rows(i, j))) + ", larger than 1";
      DotProduct<T> sum{-static_cast<Real>(a(factors.order[i], j)), 0};
      for (std::uint64_t k = 0; k < last; ++k) sum.add(rows(i, k), columns(j, k));
      const Real pivot = is_lower ? columns(j, last) : Real{0};
      sum.add(is_lower ? rows(i, last) : Real{1}, is_lower ? pivot : rows(i, j));
      const Real small = small_error * (std::abs(pivot) + static_cast<Real>(2 * (steps + 4)));
      if (const std::string wrong = excess(sum.value, gamma * sum.size + small); !wrong.empty())
        return "L U - P A at " + place(i, j) + wrong;
    }
  return {};
}

template <class T>
std::string wrong_solution(const LuFactors<T>& factors, bool is_transposed, const LuMatrix<T>& x, const LuMatrix<T>* b,
                           Wide<T> small_error) {
  using Real = Wide<T>;
  const LuSolution<T> solution(factors, is_transposed, small_error);
  for (std::uint64_t column = 0; column < x.columns; ++column) {
    std::vector<Real> found(x.rows), right(x.rows, Real{0});
    for (std::uint64_t i = 0; i < x.rows; ++i) {
      found[i] = static_cast<Real>(x(i, column));
      right[i] = b != nullptr ? static_cast<Real>((*b)(i, column)) : static_cast<Real>(i == column ? 1 : 0);
    }
    if (const std::string wrong = solution.wrong(found, right); !wrong.empty())
      return "right-hand side " + std::to_string(column) + ": " + wrong;
  }
  return {};
}

template <class T>
std::string wrong_determinant(const LuFactors<T>& factors, T found_sign, T found_logarithm) {
  const std::uint64_t n = factors.order.size();
  long double sign = factors.is_odd ? -1 : 1, logarithm = 0, size = 1;
  for (std::uint64_t i = 0; i < n; ++i) {
    const long double pivot = factors.lu(i, i), term = std::log(std::abs(pivot));
    sign *= pivot < 0 ? -1 : pivot > 0 ? 1 : pivot;  // NaN stays NaN
    logarithm += term;
    size += std::abs(term);
  }
  const auto is_same = [](long double x, long double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  const long double bound = 2 * roundoff<T>() * static_cast<long double>(n + 4) * size;
  const bool is_finite = sign == 1 || sign == -1;
  if (sign == 0) logarithm = -std::numeric_limits<long double>::infinity();
  if (is_same(sign, found_sign) &&
      (is_finite ? std::abs(found_logarithm - logarithm) <= bound : is_same(logarithm, found_logarithm)))
    return {};
  const auto text = [](auto value) { return detail::general_text(static_cast<double>(value), 17); };
  return "the determinant's sign and logarithm are " + text(found_sign) + " and " + text(found_logarithm) +
         ", expected " + text(sign) + " and " + text(logarithm);
}

#define TILEWRIGHT_INSTANTIATE(T)                                                                                  \
  template struct LuFactors<T>;                                                                                    \
  template std::string wrong_factors(const LuFactors<T>&, const LuMatrix<T>&, Wide<T>);                            \
  template std::string wrong_solution(const LuFactors<T>&, bool, const LuMatrix<T>&, const LuMatrix<T>*, Wide<T>); \
  template std::string wrong_determinant(const LuFactors<T>&, T, T);
TILEWRIGHT_INSTANTIATE(float)
TILEWRIGHT_INSTANTIATE(double)
#undef TILEWRIGHT_INSTANTIATE

template LuQuality lu_quality(const LuMatrix<float>&, const LuMatrix<float>&, std::span<const std::int64_t>);
template LuQuality lu_quality(const LuMatrix<double>&, const LuMatrix<double>&, std::span<const std::int64_t>);
template double system_residual(const LuMatrix<float>&, const LuMatrix<float>&, const LuMatrix<float>*, std::uint64_t,
                                std::uint64_t);
template double system_residual(const LuMatrix<double>&, const LuMatrix<double>&, const LuMatrix<double>*,
                                std::uint64_t, std::uint64_t);

}  // namespace tilewright::verification
