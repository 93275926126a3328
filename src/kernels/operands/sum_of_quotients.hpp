// Sums of rounded quotients, in logarithmic time.
#pragma once

#include <cstdint>
#include <utility>

namespace tilewright::detail {

/// Returns the sum of floor((step z + start) / divisor) over 0 <= z < count, modulo 2^64. No argument is negative, and
/// step count + start is less than 2^63.
inline std::uint64_t sum_of_quotients(std::uint64_t count, std::uint64_t step, std::uint64_t start,
                                      std::uint64_t divisor) {
  std::uint64_t sum = 0;
  while (count > 0) {
    const std::uint64_t pairs = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
    sum += pairs * (step / divisor) + count * (start / divisor);
    step %= divisor;
    start %= divisor;
    const std::uint64_t end = step * count + start;  // the same lattice points, counted along the other axis
    if (end < divisor) break;
    count = end / divisor;
    start = end % divisor;
    std::swap(step, divisor);
  }
  return sum;
}

}  // namespace tilewright::detail
