#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::detail {

/// step * x for every 0 <= x < count.
struct Multiples {
  std::uint64_t step = 0;
  std::uint64_t count = 1;
};

enum class Answer { no, yes, unknown };

/// Whether one multiple of each, added up, can lie in [first, last]. All sums must be less than 2^63.
/// Takes logarithmic time for up to two terms, for more if each step is longer than all shorter ones reach together,
/// and if no multiple of the steps' common divisor is in the window. Others are tried up to a bound and are then
/// `unknown`.
Answer any_sum_in(std::vector<Multiples> multiples, std::int64_t first, std::int64_t last);

}  // namespace tilewright::detail
