// Measures by which operations compare their problems.
#pragma once

#include <cmath>
#include <cstdint>

namespace tilewright::detail {

/// Returns the distance between two sizes: |log(left / right)|.
inline double log_ratio(std::uint64_t left, std::uint64_t right) {
  return std::abs(std::log(static_cast<double>(left) / static_cast<double>(right)));
}

}  // namespace tilewright::detail
