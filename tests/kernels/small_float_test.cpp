// Compares every half and every bfloat16 with the definition of its format, and rounding with a search among all
// values.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/bfloat16.hpp"
#include "kernels/half.hpp"

namespace tilewright::detail {
namespace {

template <class T>
constexpr unsigned fraction_bits = 10;
template <>
constexpr unsigned fraction_bits<Bfloat16> = 7;
template <class T>
constexpr int largest_exponent = 15;
template <>
constexpr int largest_exponent<Bfloat16> = 127;

template <class T>
constexpr unsigned quiet_bit = 1U << (fraction_bits<T> - 1);
template <class T>
constexpr unsigned first_not_finite = 0x8000U - (1U << fraction_bits<T>);

template <class T>
double value_of(unsigned bits) {
  const unsigned exponent = (bits & 0x7fffU) >> fraction_bits<T>;
  const unsigned one = 1U << fraction_bits<T>, fraction = bits & (one - 1);
  const int scale = 1 - largest_exponent<T> - static_cast<int>(fraction_bits<T>);  // of a subnormal's last place
  const double size =
      exponent == 0 ? std::ldexp(fraction, scale) : std::ldexp(one + fraction, scale + static_cast<int>(exponent) - 1);
  return (bits & 0x8000U) != 0 ? -size : size;
}

// The value that follows the largest one. Rounding treats infinity as this value.
template <class T>
double after_largest() {
  return std::ldexp(1, largest_exponent<T> + 1);
}

// The bits of the number nearest to a non-negative value. A value between two numbers is compared with their mean.
template <class T>
std::uint16_t nearest(double value) {
  static const std::vector<double> all = [] {
    std::vector<double> values;
    for (unsigned bits = 0; bits < first_not_finite<T>; ++bits) values.push_back(value_of<T>(bits));
    values.push_back(after_largest<T>());
    return values;
  }();
  const auto above = static_cast<std::uint16_t>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
  if (above == 0 || above == all.size()) return above == 0 ? 0 : first_not_finite<T>;
  const double mean = (all[above] + all[above - 1U]) / 2;
  if (value == mean) return above % 2 == 0 ? above : static_cast<std::uint16_t>(above - 1);
  return value > mean ? above : static_cast<std::uint16_t>(above - 1);
}

template <class T>
void check_rounding(double value) {
  CAPTURE(value);
  CHECK(T(value).bits() == nearest<T>(value));
  CHECK(T(-value).bits() == (nearest<T>(value) | 0x8000U));
}

}  // namespace

TEST_SUITE("small floats") {
  TEST_CASE_TEMPLATE("each number converts to the float of its definition, and back", T, Half, Bfloat16) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const T number = T::from_bits(static_cast<std::uint16_t>(bits));
      const float value = number;
      const unsigned size = bits & 0x7fffU;
      bool right = size > first_not_finite<T>    ? std::isnan(value)
                   : size == first_not_finite<T> ? std::isinf(value)
                                                 : value == value_of<T>(bits);
      right = right && std::signbit(value) == ((bits & 0x8000U) != 0);
      // A NaN keeps its bits but becomes quiet.
      right = right && T(value).bits() == (std::isnan(value) ? bits | quiet_bit<T> : bits);
      CHECK_MESSAGE(right, bits);
    }
  }

  TEST_CASE_TEMPLATE("a value between two numbers rounds to the nearest one, and a tie to even", T, Half, Bfloat16) {
    for (unsigned bits = 0; bits < first_not_finite<T>; ++bits) {
      const double low = value_of<T>(bits);
      const double high = bits + 1 == first_not_finite<T> ? after_largest<T>() : value_of<T>(bits + 1);
      const double mean = (low + high) / 2;
      for (const double value : {std::nextafter(low, high), std::nextafter(mean, low), mean, std::nextafter(mean, high),
                                 std::nextafter(high, low)})
        if (T(value).bits() != nearest<T>(value) || T(-value).bits() != (nearest<T>(value) | 0x8000U))
          check_rounding<T>(value);
    }
  }

  TEST_CASE_TEMPLATE("a value outside the range becomes zero or infinity", T, Half, Bfloat16) {
    const double smallest = value_of<T>(1), largest = value_of<T>(first_not_finite<T> - 1);
    const double tie = (largest + after_largest<T>()) / 2;
    for (const double value : {0.0, 5e-324, smallest / 4, smallest / 2, std::nextafter(smallest / 2, 1.0), largest,
                               std::nextafter(tie, 0.0), tie, after_largest<T>(), 1e39, 1e300})
      check_rounding<T>(value);
    CHECK(T(std::numeric_limits<double>::infinity()).bits() == first_not_finite<T>);
    CHECK(std::isnan(static_cast<float>(T(std::numeric_limits<double>::quiet_NaN()))));
  }

  TEST_CASE_TEMPLATE("numeric_limits match the format", T, Half, Bfloat16) {
    using Limits = std::numeric_limits<T>;
    CHECK(Limits::digits == fraction_bits<T> + 1);
    CHECK(Limits::max() == value_of<T>(first_not_finite<T> - 1));
    CHECK(Limits::min() == std::ldexp(1, 1 - largest_exponent<T>));
    CHECK(Limits::denorm_min() == value_of<T>(1));
    CHECK(Limits::epsilon() == std::ldexp(1, -static_cast<int>(fraction_bits<T>)));
    CHECK(std::isinf(static_cast<float>(Limits::infinity())));
    CHECK(std::isnan(static_cast<float>(Limits::quiet_NaN())));
  }
}

}  // namespace tilewright::detail
