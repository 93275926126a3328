#include "verification/tile_edges.hpp"

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

std::vector<std::uint64_t> edges_along(const Configuration& configuration, char dimension) {
  constexpr std::int64_t largest = 300;  // what is larger is left to smaller configurations
  std::set<std::uint64_t> edges;
  const auto add = [&](std::int64_t edge) {
    if (edge > 1 && edge <= largest) edges.insert(static_cast<std::uint64_t>(edge));
  };
  const std::string tile = std::string("tile_") + dimension;
  std::int64_t product = 1;  // for variants that give their tile by its parts
  for (const auto& [name, value] : configuration) {
    if (configuration.contains(tile) ? name == tile : concerns(name, dimension)) add(value);
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
  return {edges_along(configuration, 'm'), edges_along(configuration, 'n'), edges_along(configuration, 'k')};
}

}  // namespace tilewright::verification
