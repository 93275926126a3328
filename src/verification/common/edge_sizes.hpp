#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace tilewright::verification {

/// Returns the tile edges of one dimension that are useful as sizes: from 2 to `largest`, sorted, without duplicates.
inline std::vector<std::uint64_t> sizes_of(const std::vector<std::int64_t>& edges, std::uint64_t largest) {
  std::set<std::uint64_t> sizes;
  for (const std::int64_t edge : edges)
    if (edge > 1 && static_cast<std::uint64_t>(edge) <= largest) sizes.insert(static_cast<std::uint64_t>(edge));
  return {sizes.begin(), sizes.end()};
}

}  // namespace tilewright::verification
