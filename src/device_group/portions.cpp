#include "device_group/portions.hpp"

#include <algorithm>
#include <numeric>

#include "out_of_core/speeds.hpp"

namespace tilewright::detail {

std::vector<std::uint64_t> portion_ends(std::uint64_t count, const std::vector<double>& speeds) {
  std::vector<double> weights;
  for (const double speed : speeds) weights.push_back(is_usable_speed(speed) ? limited_speed(speed) : 0);
  double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (all == 0) {
    std::fill(weights.begin(), weights.end(), 1.0);
    all = static_cast<double>(weights.size());
  }
  std::vector<std::uint64_t> ends;
  double until = 0;
  for (const double weight : weights) {
    until += weight;
    const double end = until / all * static_cast<double>(count) + 0.5;
    const bool is_all = until >= all || end >= static_cast<double>(count);
    ends.push_back(is_all ? count : static_cast<std::uint64_t>(end));
  }
  return ends;
}

}  // namespace tilewright::detail
