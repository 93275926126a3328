// Every half against the definition of the format, and rounding against a search among all of them.
#include "kernels/half.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tilewright::detail {
namespace {

constexpr unsigned first_not_finite = 0x7c00;

double value_of(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10U & 0x1fU);
  const double fraction = bits & 0x3ffU;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000U) != 0 ? -size : size;
}

// The bits of the half nearest to a value of no sign: what lies between two is compared with their mean.
std::uint16_t nearest(double value) {
  static const std::vector<double> all = [] {
    std::vector<double> values;
    for (unsigned bits = 0; bits < first_not_finite; ++bits) values.push_back(value_of(bits));
    values.push_back(65536);  // what infinity stands for
    return values;
  }();
  const auto above = static_cast<std::uint16_t>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
  if (above == 0 || above == all.size()) return above == 0 ? 0 : first_not_finite;
  const double mean = (all[above] + all[above - 1U]) / 2;
  if (value == mean) return above % 2 == 0 ? above : static_cast<std::uint16_t>(above - 1);
  return value > mean ? above : static_cast<std::uint16_t>(above - 1);
}

void check_rounding(double value) {
  CAPTURE(value);
  CHECK(Half(value).bits() == nearest(value));
  CHECK(Half(-value).bits() == (nearest(value) | 0x8000U));
}

}  // namespace

TEST_SUITE("half") {
  TEST_CASE("every half is the float that the format says, and comes back") {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const Half half = Half::from_bits(static_cast<std::uint16_t>(bits));
      const float value = half;
      const unsigned size = bits & 0x7fffU;
      bool right = size > first_not_finite    ? std::isnan(value)
                   : size == first_not_finite ? std::isinf(value)
                                              : value == value_of(bits);
      right = right && std::signbit(value) == ((bits & 0x8000U) != 0);
      // A NaN keeps its digits but is quiet.
      right = right && Half(value).bits() == (std::isnan(value) ? bits | 0x0200U : bits);
      CHECK_MESSAGE(right, bits);
    }
  }

  TEST_CASE("a value between two halves becomes the nearest one, of a tie the even one") {
    for (unsigned bits = 0; bits < first_not_finite; ++bits) {
      const double low = value_of(bits);
      const double high = bits + 1 == first_not_finite ? 65536 : value_of(bits + 1);
      const double mean = (low + high) / 2;
      for (const double value : {std::nextafter(low, high), std::nextafter(mean, low), mean, std::nextafter(mean, high),
                                 std::nextafter(high, low)})
        if (Half(value).bits() != nearest(value) || Half(-value).bits() != (nearest(value) | 0x8000U))
          check_rounding(value);
    }
  }

  TEST_CASE("what lies outside the range becomes zero or infinity") {
    for (const double value :
         {0.0, 5e-324, 0x1p-26, 0x1p-25, 0x1.000001p-25, 65504.0, 65519.99, 65520.0, 65536.0, 1e5, 1e300})
      check_rounding(value);
    CHECK(Half(std::numeric_limits<double>::infinity()).bits() == first_not_finite);
    CHECK(std::isnan(static_cast<float>(Half(std::numeric_limits<double>::quiet_NaN()))));
  }

  TEST_CASE("limits are those of the format") {
    using Limits = std::numeric_limits<Half>;
    CHECK(Limits::max() == 65504);
    CHECK(Limits::min() == 0x1p-14);
    CHECK(Limits::denorm_min() == 0x1p-24);
    CHECK(Limits::epsilon() == 0x1p-10);
    CHECK(std::isinf(static_cast<float>(Limits::infinity())));
    CHECK(std::isnan(static_cast<float>(Limits::quiet_NaN())));
  }
}

}  // namespace tilewright::detail
