#include "verification/gemm/tile_edges.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace tilewright::verification {
namespace {

// Along which dimension a parameter's value makes an edge; a name that does not tell counts for all three.
bool concerns(std::string_view parameter, char dimension) {
  const bool tells = parameter.size() > 2 && parameter[parameter.size() - 2] == '_' &&
                     std::string_view("mnk").find(parameter.back()) != std::string_view::npos;
  return !tells || parameter.back() == dimension;
}

constexpr std::int64_t largest = 300;   // what is larger is left to smaller configurations
constexpr std::int64_t deepest = 2048;  // but along k, products of few rows and columns are cheap

std::vector<std::uint64_t> edges_along(const Configuration& configuration, char dimension) {
  std::set<std::uint64_t> edges;
  const auto add = [&](std::int64_t edge, std::int64_t most = largest) {
    if (edge > 1 && edge <= most) edges.insert(static_cast<std::uint64_t>(edge));
  };
  const std::string tile = std::string("tile_") + dimension;
  std::int64_t product = 1;  // for variants that give their tile by its parts
  for (const auto& [name, value] : configuration) {
    const bool is_edge = configuration.contains(tile) ? name == tile : concerns(name, dimension);
    if (is_edge || (dimension == 'k' && name == "slice_k")) add(value, dimension == 'k' ? deepest : largest);
    if (name.ends_with(std::string("_") + dimension)) product *= value;
  }
  if (!configuration.contains(tile)) {
    add(product);
    add(4 * product);  // in texels
  } else if (configuration.contains("swizzle")) {
    add(configuration[tile] * configuration["swizzle"]);
  }
  return {edges.begin(), edges.end()};
}

}  // namespace

TileEdges tile_edges(const Configuration& configuration) {
  TileEdges edges{
      edges_along(configuration, 'm'), edges_along(configuration, 'n'), edges_along(configuration, 'k'), {}};
  const auto first_deep = std::upper_bound(edges.k.begin(), edges.k.end(), static_cast<std::uint64_t>(largest));
  edges.deep.assign(first_deep, edges.k.end());
  edges.k.erase(first_deep, edges.k.end());
  return edges;
}

}  // namespace tilewright::verification
