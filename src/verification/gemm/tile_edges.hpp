#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/configuration.hpp"

namespace tilewright::verification {

/// The edges of a configuration that tests can afford to reach.
struct TileEdges {
  std::vector<std::uint64_t> m, n, k;
  std::vector<std::uint64_t> deep{};  ///< edges along k that only products with few rows and columns can afford
  bool is_large = false;              ///< even the smallest product keeps many work-items busy
  std::uint64_t tile = 1;             ///< elements of a tile of C
  std::uint64_t depth = 1;            ///< steps of k of the tiles of A and B; the first edge along k
};

/// Returns the edges. Throws Error(unknown_variant).
TileEdges tile_edges(const std::string& variant, const Configuration& configuration);

}  // namespace tilewright::verification
