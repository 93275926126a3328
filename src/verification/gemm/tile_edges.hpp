#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/configuration.hpp"

namespace tilewright::verification {

/// The edges of a configuration that tests can afford to meet.
struct TileEdges {
  std::vector<std::uint64_t> m, n, k;
  std::vector<std::uint64_t> deep{};  ///< those of k that only products of few rows and columns can afford
  bool is_large = false;              ///< even the smallest product keeps many work-items busy
};

/// Throws Error(unknown_variant).
TileEdges tile_edges(const std::string& variant, const Configuration& configuration);

}  // namespace tilewright::verification
