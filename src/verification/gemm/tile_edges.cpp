#include "verification/gemm/tile_edges.hpp"

#include <algorithm>

#include "gemm/variant.hpp"
#include "verification/common/edge_sizes.hpp"

namespace tilewright::verification {

TileEdges tile_edges(const std::string& variant, const Configuration& configuration) {
  constexpr std::uint64_t largest = 300;   // smaller configurations cover larger edges
  constexpr std::uint64_t deepest = 2048;  // larger along k, where products with few rows and columns are cheap
  constexpr std::uint64_t large_tile = 1024;
  const auto& known = detail::find_variant<GemmProblem>(variant);
  const detail::Edges edges = known.edges(detail::values_of(known, configuration));
  const auto first = [](const std::vector<std::int64_t>& of) { return of.empty() ? 1 : of.front(); };
  TileEdges result{.m = sizes_of(edges.m, largest), .n = sizes_of(edges.n, largest), .k = sizes_of(edges.k, deepest)};
  result.tile = static_cast<std::uint64_t>(first(edges.m) * first(edges.n));
  result.depth = static_cast<std::uint64_t>(first(edges.k));
  result.is_large = result.tile * static_cast<std::uint64_t>(edges.sharers) > large_tile;
  const auto first_deep = std::upper_bound(result.k.begin(), result.k.end(), largest);
  result.deep.assign(first_deep, result.k.end());
  result.k.erase(first_deep, result.k.end());
  return result;
}

}  // namespace tilewright::verification
