// IEEE 754's binary16 on the host: stored in 16 bits, computed with as float.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace tilewright::detail {

/// Rounds to nearest, ties to even, as a kernel's stores do; every value is a float exactly.
class Half {
 public:
  constexpr Half() = default;
  constexpr explicit Half(double value) : bits_(rounded(value)) {}

  static constexpr Half from_bits(std::uint16_t bits) {
    Half half;
    half.bits_ = bits;
    return half;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  constexpr operator float() const {  // NOLINT(google-explicit-constructor): nothing is lost
    const std::uint32_t sign = (bits_ & 0x8000U) << 16U;
    const std::uint32_t exponent = bits_ >> 10U & 0x1fU;
    const std::uint32_t fraction = bits_ & 0x3ffU;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13U);
    // fraction x 2^(exponent - 25), with the leading 1 of what is not subnormal
    const auto significand = static_cast<float>(exponent == 0 ? fraction : fraction | 0x400U);
    const float scale = std::bit_cast<float>(((exponent == 0 ? 1U : exponent) + (127 - 25)) << 23U);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(significand * scale) | sign);
  }

  constexpr Half operator-() const { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000U)); }

 private:
  static constexpr std::uint16_t rounded(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 48U & 0x8000U);
    const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63U);
    constexpr std::uint64_t infinity = std::uint64_t{0x7ff} << 52U;
    if (magnitude > infinity) return static_cast<std::uint16_t>(sign | 0x7e00U | (magnitude >> 42U & 0x1ffU));
    const int exponent = static_cast<int>(magnitude >> 52U) - 1023;
    if (exponent > 15) return static_cast<std::uint16_t>(sign | 0x7c00U);
    if (exponent < -25) return sign;
    // Of the 53 bits of the significand 11 stay, and fewer of a subnormal half.
    const unsigned dropped = 42U + static_cast<unsigned>(exponent < -14 ? -14 - exponent : 0);
    const std::uint64_t significand = (magnitude & ((std::uint64_t{1} << 52U) - 1)) | std::uint64_t{1} << 52U;
    const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
    const std::uint64_t tie = std::uint64_t{1} << (dropped - 1);
    std::uint64_t result = significand >> dropped;
    if (rest > tie || (rest == tie && (result & 1U) != 0)) ++result;
    // A carry makes the next exponent, and of the largest finite value infinity.
    if (exponent >= -14) result += static_cast<std::uint64_t>(exponent + 14) << 10U;
    return static_cast<std::uint16_t>(sign | result);
  }

  std::uint16_t bits_ = 0;
};
static_assert(sizeof(Half) == 2);

}  // namespace tilewright::detail

template <>
class std::numeric_limits<tilewright::detail::Half> {
  using Half = tilewright::detail::Half;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_iec559 = true;
  static constexpr int digits = 11;
  static constexpr int max_digits10 = 5;
  static constexpr Half min() { return Half::from_bits(0x0400); }
  static constexpr Half denorm_min() { return Half::from_bits(0x0001); }
  static constexpr Half max() { return Half::from_bits(0x7bff); }
  static constexpr Half epsilon() { return Half::from_bits(0x1400); }
  static constexpr Half infinity() { return Half::from_bits(0x7c00); }
  // NOLINTNEXTLINE(readability-identifier-naming): the standard's name
  static constexpr Half quiet_NaN() { return Half::from_bits(0x7e00); }
};
