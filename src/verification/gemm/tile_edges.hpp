#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/configuration.hpp"

namespace tilewright::verification {

/// Sizes at which a configuration's tiles begin and end.
struct TileEdges {
  std::vector<std::uint64_t> m, n, k;
  std::vector<std::uint64_t> deep;  ///< those of k that only products of few rows and columns can afford
};

TileEdges tile_edges(const Configuration& configuration);

}  // namespace tilewright::verification
