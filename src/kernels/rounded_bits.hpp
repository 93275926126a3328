// Rounding to binary floating-point formats of 16 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace tilewright::detail {

/// Returns the bits of the nearest value in a 16-bit format, ties to even. The format has a sign, `exponent_bits` and
/// `fraction_bits`. A NaN keeps its leading bits and becomes quiet.
template <unsigned exponent_bits, unsigned fraction_bits>
constexpr std::uint16_t rounded_bits(double value) {
  static_assert(1 + exponent_bits + fraction_bits == 16);
  constexpr unsigned double_fraction_bits = 52;
  constexpr int largest_exponent = (1 << (exponent_bits - 1)) - 1;
  constexpr int smallest_exponent = 1 - largest_exponent;  // of normal numbers
  constexpr std::uint16_t infinity = ((1U << exponent_bits) - 1) << fraction_bits;
  constexpr std::uint16_t quiet = 1U << (fraction_bits - 1);

  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 48U & 0x8000U);
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63U);
  constexpr std::uint64_t infinite_double = std::uint64_t{0x7ff} << double_fraction_bits;
  if (magnitude > infinite_double)
    return static_cast<std::uint16_t>(sign | infinity | quiet |
                                      (magnitude >> (double_fraction_bits - fraction_bits) & (quiet - 1U)));
  const int exponent = static_cast<int>(magnitude >> double_fraction_bits) - 1023;
  if (exponent > largest_exponent) return static_cast<std::uint16_t>(sign | infinity);
  if (exponent < smallest_exponent - static_cast<int>(fraction_bits) - 1) return sign;
  // If the result is subnormal, fewer bits of the significand remain than the fraction plus the leading 1.
  const unsigned dropped = double_fraction_bits - fraction_bits +
                           static_cast<unsigned>(exponent < smallest_exponent ? smallest_exponent - exponent : 0);
  constexpr std::uint64_t leading = std::uint64_t{1} << double_fraction_bits;
  const std::uint64_t significand = (magnitude & (leading - 1)) | leading;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t tie = std::uint64_t{1} << (dropped - 1);
  std::uint64_t result = significand >> dropped;
  if (rest > tie || (rest == tie && (result & 1U) != 0)) ++result;
  // A carry increments the exponent, and turns the largest finite value into infinity.
  if (exponent >= smallest_exponent)
    result += static_cast<std::uint64_t>(exponent - smallest_exponent) << fraction_bits;
  return static_cast<std::uint16_t>(sign | result);
}

}  // namespace tilewright::detail
