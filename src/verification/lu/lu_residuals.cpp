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
  return std::numeric_limits<detail::Part<T>>::epsilon() / 2;
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

// op(A) in higher precision, stored by rows.
template <class T>
class WideMatrix {
 public:
  using Number = WideNumber<T>;

  explicit WideMatrix(const LuMatrix<T>& matrix, Transpose trans = Transpose::no)
      : columns_(trans == Transpose::no ? matrix.columns : matrix.rows), elements_(matrix.rows * matrix.columns) {
    for (std::uint64_t i = 0; i < matrix.rows; ++i)
      for (std::uint64_t j = 0; j < matrix.columns; ++j) {
        auto element = static_cast<Number>(matrix(i, j));
        if constexpr (detail::is_complex_host_type<T>)
          if (trans == Transpose::conjugate_transpose) element = std::conj(element);
        elements_[trans == Transpose::no ? i * columns_ + j : j * columns_ + i] = element;
      }
  }
  Number operator()(std::uint64_t i, std::uint64_t j) const { return elements_[i * columns_ + j]; }

 private:
  std::uint64_t columns_;
  std::vector<Number> elements_;
};

// Errors of operations with small results that one product may have, in units of one error.
template <class T>
constexpr int small_errors = detail::is_complex_host_type<T> ? 6 : 1;

// Describes a residual or its size if it exceeds its bound.
template <class T>
std::string excess_of(const WideNumber<T>& residual, WidePart<T> bound) {
  if constexpr (detail::is_complex_host_type<T>)
    return excess(std::abs(residual), bound);
  else
    return excess(residual, bound);
}

// A solution with LU factors, one right-hand side at a time.
template <class T>
class LuSolution {
 public:
  using Real = WidePart<T>;
  using Number = WideNumber<T>;

  LuSolution(const LuFactors<T>& factors, Transpose trans, Real small_error)
      : order_(factors.order),
        lu_(factors.lu, trans),
        n_(order_.size()),
        is_transposed_(trans != Transpose::no),
        small_error_(static_cast<Real>(small_errors<T>) * small_error) {}

  std::string wrong(const std::vector<Number>& x, const std::vector<Number>& b) const {
    std::vector<DotProduct<T>> inner(n_);  // U X, or L^T P X
    for (std::uint64_t i = 0; i < n_; ++i)
      for (std::uint64_t j = i; j < n_; ++j)
        inner[i].add(is_transposed_ && i == j ? Number{1} : lu_(i, j), x[is_transposed_ ? order_[j] : j]);
    for (std::uint64_t i = 0; i < n_; ++i) {
      const Number right = b[is_transposed_ ? i : order_[i]];
      Number residual = -right;
      Real size = 0, largest = 1;
      for (std::uint64_t j = 0; j <= i; ++j) {
        const Number factor = !is_transposed_ && i == j ? Number{1} : lu_(i, j);
        residual += factor * inner[j].value;
        size += std::abs(factor) * inner[j].size;
        largest = std::max(largest, std::abs(factor));
      }
      const Real gamma = static_cast<Real>(1.01L) * lu_factor<T>(n_);  // 1.01: terms of second order
      const Real small = small_error_ * static_cast<Real>(8 * (n_ + 4)) * largest;
      if (const std::string text = excess_of<T>(residual, gamma * (4 * size + std::abs(right)) + small); !text.empty())
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

// Returns "1.5", or "1.5 + 2 i" for complex T.
template <class T, class Number>
std::string text_of_number(const Number& number, int digits = 6) {
  const auto text = [&](auto part) { return detail::general_text(static_cast<double>(part), digits); };
  return text(std::real(number)) + (detail::is_complex_host_type<T> ? " + " + text(std::imag(number)) + " i" : "");
}

// Returns the largest error of a determinant's sign: 0 for real numbers.
template <class T>
long double sign_bound(long double steps) {
  return detail::is_complex_host_type<T> ? 16 * steps : 0;
}

}  // namespace

template <class T>
LuQuality lu_quality(const LuMatrix<T>& a, const LuMatrix<T>& factors, std::span<const std::int64_t> pivots) {
  const std::uint64_t steps = std::min(a.rows, a.columns);
  const std::vector<std::uint64_t> order = row_order(pivots.first(steps), a.rows);
  LuQuality quality;
  quality.pivots_are_rows = order.size() == a.rows;
  if (!quality.pivots_are_rows) return quality;
  using Number = typename LuMatrix<T>::Number;
  const long double u = roundoff<T>(), gamma = lu_factor<T>(steps);
  long double error_norm = 0, a_norm = 0, element = 0, multiplier = 0;
  for (std::uint64_t j = 0; j < a.columns; ++j) {
    long double error_sum = 0, a_sum = 0;
    for (std::uint64_t i = 0; i < a.rows; ++i) {
      if (i > j && j < steps) raise(multiplier, std::abs(factors(i, j)));
      Number product = 0;
      long double size = 0;
      const std::uint64_t last = std::min(std::min(i, j), steps - 1);
      for (std::uint64_t k = 0; k <= last; ++k) {
        const Number term = (k == i ? Number{1} : factors(i, k)) * factors(k, j);
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
      typename LuMatrix<T>::Number sum = b != nullptr ? (*b)(i, c) : (i == c ? 1.0L : 0.0L);
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
std::string wrong_factors(const LuFactors<T>& factors, const LuMatrix<T>& a, WidePart<T> small_error) {
  using Real = WidePart<T>;
  using Number = WideNumber<T>;
  const std::uint64_t steps = std::min(a.rows, a.columns);
  const Real gamma = lu_factor<T>(steps);
  const WideMatrix<T> rows(factors.lu), columns(factors.lu, Transpose::yes);
  const auto place = [](std::uint64_t i, std::uint64_t j) {
    return '(' + std::to_string(i) + ", " + std::to_string(j) + ") is ";
  };
  for (std::uint64_t i = 0; i < a.rows; ++i)
    for (std::uint64_t j = 0; j < a.columns; ++j) {
      const bool is_lower = i > j;
      const std::uint64_t last = std::min(i, j);
      if (is_lower && !(std::abs(rows(i, j)) <= largest_multiplier<T>()))
        return 'L' + place(i, j) + text_of_number<T>(rows(i, j)) + ", larger than " +
               detail::general_text(largest_multiplier<T>());
      DotProduct<T> sum{-static_cast<Number>(a(factors.order[i], j)), 0};
      for (std::uint64_t k = 0; k < last; ++k) sum.add(rows(i, k), columns(j, k));
      const Number pivot = is_lower ? columns(j, last) : Number{0};
      sum.add(is_lower ? rows(i, last) : Number{1}, is_lower ? pivot : rows(i, j));
      const Real small =
          static_cast<Real>(small_errors<T>) * small_error * (std::abs(pivot) + static_cast<Real>(2 * (steps + 4)));
      if (const std::string wrong = excess_of<T>(sum.value, gamma * sum.size + small); !wrong.empty())
        return "L U - P A at " + place(i, j) + wrong;
    }
  return {};
}

template <class T>
std::string wrong_solution(const LuFactors<T>& factors, Transpose trans, const LuMatrix<T>& x, const LuMatrix<T>* b,
                           WidePart<T> small_error) {
  using Number = WideNumber<T>;
  const LuSolution<T> solution(factors, trans, small_error);
  for (std::uint64_t column = 0; column < x.columns; ++column) {
    std::vector<Number> found(x.rows), right(x.rows, Number{0});
    for (std::uint64_t i = 0; i < x.rows; ++i) {
      found[i] = static_cast<Number>(x(i, column));
      right[i] = b != nullptr ? static_cast<Number>((*b)(i, column)) : Number(i == column ? 1 : 0);
    }
    if (const std::string wrong = solution.wrong(found, right); !wrong.empty())
      return "right-hand side " + std::to_string(column) + ": " + wrong;
  }
  return {};
}

template <class T>
std::string wrong_determinant(const LuFactors<T>& factors, T found_sign, T found_logarithm) {
  using Number = typename LuMatrix<T>::Number;
  constexpr bool is_complex = detail::is_complex_host_type<T>;
  const std::uint64_t n = factors.order.size();
  Number sign = factors.is_odd ? -1 : 1;
  long double logarithm = 0, size = 1;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Number pivot = factors.lu(i, i);
    const long double magnitude = std::abs(pivot), term = std::log(magnitude);
    sign *= magnitude == 0 ? pivot : pivot / magnitude;  // NaN stays NaN
    logarithm += term;
    size += std::abs(term);
  }
  const auto is_same = [](long double x, long double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  const long double steps = roundoff<T>() * static_cast<long double>(n + 4);
  const long double bound = (is_complex ? 8 : 2) * steps * size, found = std::real(found_logarithm);
  if (std::abs(sign) == 0) logarithm = -std::numeric_limits<long double>::infinity();
  const bool is_right_sign = std::isnan(std::abs(sign)) ? std::isnan(std::abs(found_sign))
                             : std::abs(sign) == 0      ? std::abs(found_sign) == 0
                                                        : std::abs(Number(found_sign) - sign) <= sign_bound<T>(steps);
  const bool is_finite = std::isfinite(logarithm);
  if (is_right_sign && std::imag(found_logarithm) == 0 &&
      (is_finite ? std::abs(found - logarithm) <= bound : is_same(logarithm, found)))
    return {};
  return "the determinant's sign and logarithm are " + text_of_number<T>(found_sign, 17) + " and " +
         text_of_number<T>(found_logarithm, 17) + ", expected " + text_of_number<T>(sign, 17) + " and " +
         detail::general_text(static_cast<double>(logarithm), 17);
}

#define TILEWRIGHT_INSTANTIATE(T)                                                                             \
  template struct LuFactors<T>;                                                                               \
  template LuQuality lu_quality(const LuMatrix<T>&, const LuMatrix<T>&, std::span<const std::int64_t>);       \
  template double system_residual(const LuMatrix<T>&, const LuMatrix<T>&, const LuMatrix<T>*, std::uint64_t,  \
                                  std::uint64_t);                                                             \
  template std::string wrong_factors(const LuFactors<T>&, const LuMatrix<T>&, WidePart<T>);                   \
  template std::string wrong_solution(const LuFactors<T>&, Transpose, const LuMatrix<T>&, const LuMatrix<T>*, \
                                      WidePart<T>);                                                           \
  template std::string wrong_determinant(const LuFactors<T>&, T, T);
TILEWRIGHT_INSTANTIATE(float)
TILEWRIGHT_INSTANTIATE(double)
TILEWRIGHT_INSTANTIATE(std::complex<float>)
TILEWRIGHT_INSTANTIATE(std::complex<double>)
#undef TILEWRIGHT_INSTANTIATE

}  // namespace tilewright::verification
