// IEEE 754's binary16 on the host: stored in 16 bits, computed with as float.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/rounded_bits.hpp"

namespace tilewright::detail {

/// Rounds to nearest, ties to even, like a kernel's stores. Every value is exactly a float.
class Half {
 public:
  constexpr Half() = default;
  constexpr explicit Half(double value) : bits_(rounded_bits<5, 10>(value)) {}

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
    // fraction x 2^(exponent - 25), with the leading 1 of normal numbers
    const auto significand = static_cast<float>(exponent == 0 ? fraction : fraction | 0x400U);
    const float scale = std::bit_cast<float>(((exponent == 0 ? 1U : exponent) + (127 - 25)) << 23U);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(significand * scale) | sign);
  }

  constexpr Half operator-() const { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000U)); }

 private:
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
