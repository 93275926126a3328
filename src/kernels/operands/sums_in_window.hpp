// Whether a sum of multiples of given steps can lie in a window of integers.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::detail {

/// The numbers step * x for 0 <= x < count.
struct Multiples {
  std::uint64_t step = 0;
  std::uint64_t count = 1;
};

enum class Answer { no, yes, unknown };

/// Whether a sum of one multiple from each entry can lie in [first, last]. All sums must be less than 2^63. Takes
/// logarithmic time for up to two terms. For more terms it does so if each step exceeds the reach of all shorter ones
/// together. It also does so if no multiple of the steps' common divisor is in the window. Other cases are tried up to
/// a bound; beyond it the answer is `unknown`.
Answer any_sum_in(std::vector<Multiples> multiples, std::int64_t first, std::int64_t last);

}  // namespace tilewright::detail
