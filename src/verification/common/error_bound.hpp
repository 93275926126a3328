#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "verification/common/precision.hpp"

namespace tilewright::verification {

enum class Tolerance {
  rounding,  ///< allows the rounding errors of any order of summation
  exact,     ///< allows no error, for data whose sums are exact
};

/// The expected value of one element of the result, or of a signed sum of elements.
template <class T>
struct Expected {
  Wide<T> value{0};
  Wide<T> bound{0};
  bool may_overflow = false;         ///< a partial sum may overflow the accumulator although the reference does not
  bool may_overflow_stored = false;  ///< the stored value may round to an infinity of its sign
};

/// The terms of an error bound: sums of products and of C, and of their magnitudes.
template <class T>
struct Sums {
  Wide<T> product{0};            ///< A B
  Wide<T> product_magnitude{0};  ///< |A| |B|
  Wide<T> c{0};
  Wide<T> c_magnitude{0};
};

/// Adds the error of rounding `width` results of magnitude `size` to storage with fewer bits than the arithmetic: u
/// (size + other errors), plus half the smallest step below the normal range.
template <class T>
void add_storing(Expected<T>& expected, Wide<T> size, std::uint64_t width, Tolerance tolerance) {
  using Real = Wide<T>;
  using Limits = std::numeric_limits<T>;
  const Real roundoff = static_cast<Real>(Limits::epsilon()) / 2;
  // Values half a step beyond the largest one round to infinity.
  const Real overflow = static_cast<Real>(Limits::max()) * (1 + roundoff / (2 - 2 * roundoff));
  if (width == 1) {
    if (tolerance == Tolerance::exact) {
      expected.value = static_cast<Real>(static_cast<T>(expected.value));
      return;
    }
    expected.may_overflow_stored = size + expected.bound >= overflow;
  }
  expected.bound += roundoff * (size + expected.bound);
  expected.bound += static_cast<Real>(width) * static_cast<Real>(Limits::denorm_min()) / 2;
}

/// Error of a sum of k products, relative to |A| |B|: factor * gamma_(k+2) + cut.
struct ProductError {
  double factor = 1;
  double cut = 0;
};

/// Returns alpha A B + beta C, summed over `width` columns, with the bound gamma_(k+2) |alpha| |A| |B| + gamma_2 |beta|
/// |C|. ProductError modifies the first term. gamma is the accumulator's; add_storing() adds the rounding of the stored
/// result. `finish` may transform the value before that.
template <class T, class Finish>
Expected<T> expect(const Sums<T>& sums, detail::Accumulator<T> alpha, detail::Accumulator<T> beta, std::uint64_t k,
                   std::uint64_t width, Tolerance tolerance, const ProductError& error, const Finish& finish) {
  using Real = Wide<T>;
  using Accumulator = detail::Accumulator<T>;
  Expected<T> expected;
  // A NaN scalar must not affect the result if its operand is not read.
  const Real product = k == 0 || alpha == 0 ? Real{0} : static_cast<Real>(alpha) * sums.product;
  const Real c = beta == 0 ? Real{0} : static_cast<Real>(beta) * sums.c;
  expected.value = product + c;

  const Real alpha_size = std::abs(static_cast<Real>(alpha));
  const Real magnitude = alpha_size * sums.product_magnitude;
  const Real c_magnitude = std::abs(static_cast<Real>(beta)) * sums.c_magnitude;
  const Real of_product =
      static_cast<Real>(error.factor) * gamma_factor<Accumulator>(k + 2) + static_cast<Real>(error.cut);
  if (tolerance == Tolerance::rounding) {
    expected.bound = of_product * magnitude + gamma_factor<Accumulator>(2) * c_magnitude;
    // The reference's own rounding matters if Wide<T> is hardly wider than the accumulator.
    expected.bound += gamma_factor<Real, Real>(k + width + 2) * (magnitude + c_magnitude);
    // Each operation may underflow.
    const Real smallest = static_cast<Real>(std::numeric_limits<Accumulator>::min());
    expected.bound += static_cast<Real>(k + 2) * static_cast<Real>(width) * smallest * (1 + alpha_size);
  }
  const Real slack = 1 + of_product;
  const Real largest = static_cast<Real>(std::numeric_limits<Accumulator>::max());
  expected.may_overflow = sums.product_magnitude * slack > largest || (magnitude + c_magnitude) * slack > largest;
  finish(expected);
  if constexpr (detail::stored_in_fewer_bits<T>)
    add_storing(expected, width == 1 ? std::abs(expected.value) : magnitude + c_magnitude, width, tolerance);
  return expected;
}

/// Returns the integer result, exact modulo 2^32.
template <class T, class Finish>
requires std::is_integral_v<T> Expected<T> expect(const Sums<T>& sums, detail::Accumulator<T> alpha,
                                                  detail::Accumulator<T> beta, std::uint64_t k, std::uint64_t,
                                                  Tolerance, const ProductError&, const Finish&) {
  const auto times = [](std::int32_t scalar, std::int64_t sum) {
    return static_cast<std::uint32_t>(scalar) * static_cast<std::uint32_t>(sum);
  };
  const std::uint32_t value = (k == 0 ? 0 : times(alpha, sums.product)) + times(beta, sums.c);
  return {.value = static_cast<std::int32_t>(value)};
}

template <class T>
Expected<T> expect(const Sums<T>& sums, detail::Accumulator<T> alpha, detail::Accumulator<T> beta, std::uint64_t k,
                   std::uint64_t width, Tolerance tolerance, const ProductError& error = {}) {
  return expect(sums, alpha, beta, k, width, tolerance, error, [](Expected<T>&) {});
}

/// Returns the error as a fraction of its bound: at most 1 if the result is right, never NaN. If the reference is NaN
/// or infinite, which only such operands cause, the result must be equal.
template <class T>
double error_over_bound(const Expected<T>& expected, Wide<T> result) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(expected.value)) return std::isnan(result) ? 0 : wrong;
  if (std::isinf(expected.value)) return result == expected.value ? 0 : wrong;
  if (!std::isfinite(result)) {
    const bool same_side = std::isinf(result) && std::signbit(result) == std::signbit(expected.value);
    return expected.may_overflow || (expected.may_overflow_stored && same_side) ? 0 : wrong;
  }
  const Wide<T> error = std::abs(result - expected.value);
  if (error == 0) return 0;
  const Wide<T> ratio = error / expected.bound;
  return std::isnan(ratio) ? wrong : static_cast<double>(ratio);
}

/// Integers must agree modulo 2^32 or be within their bound.
template <class T>
requires std::is_integral_v<T>
double error_over_bound(const Expected<T>& expected, Wide<T> result) {
  if (static_cast<std::uint32_t>(result) == static_cast<std::uint32_t>(expected.value)) return 0;
  const Wide<T> error = std::abs(result - expected.value);
  return error <= expected.bound ? static_cast<double>(error) / static_cast<double>(expected.bound)
                                 : std::numeric_limits<double>::infinity();
}

}  // namespace tilewright::verification
