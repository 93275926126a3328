// bfloat16 on the host: stored as the upper half of a float's bits, computed with as float.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/rounded_bits.hpp"

namespace tilewright::detail {

/// Rounds to nearest, ties to even, like a kernel's stores. Every value is exactly a float.
class Bfloat16 {
 public:
  constexpr Bfloat16() = default;
  constexpr explicit Bfloat16(double value) : bits_(rounded_bits<8, 7>(value)) {}

  static constexpr Bfloat16 from_bits(std::uint16_t bits) {
    Bfloat16 result;
    result.bits_ = bits;
    return result;
  }
  constexpr std::uint16_t bits() const { return bits_; }

  constexpr operator float() const {  // NOLINT(google-explicit-constructor): nothing is lost
    return std::bit_cast<float>(std::uint32_t{bits_} << 16U);
  }

  constexpr Bfloat16 operator-() const { return from_bits(static_cast<std::uint16_t>(bits_ ^ 0x8000U)); }

 private:
  std::uint16_t bits_ = 0;
};
static_assert(sizeof(Bfloat16) == 2);

}  // namespace tilewright::detail

template <>
class std::numeric_limits<tilewright::detail::Bfloat16> {
  using Bfloat16 = tilewright::detail::Bfloat16;

 public:
  static constexpr bool is_specialized = true;
  static constexpr int digits = 8;
  static constexpr int max_digits10 = 4;
  static constexpr Bfloat16 min() { return Bfloat16::from_bits(0x0080); }
  static constexpr Bfloat16 denorm_min() { return Bfloat16::from_bits(0x0001); }
  static constexpr Bfloat16 max() { return Bfloat16::from_bits(0x7f7f); }
  static constexpr Bfloat16 epsilon() { return Bfloat16::from_bits(0x3c00); }
  static constexpr Bfloat16 infinity() { return Bfloat16::from_bits(0x7f80); }
  // NOLINTNEXTLINE(readability-identifier-naming): the standard's name
  static constexpr Bfloat16 quiet_NaN() { return Bfloat16::from_bits(0x7fc0); }
};
