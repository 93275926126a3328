#include "transpose/variants/vector_tiles.hpp"

#include "transpose/vector_tile.hpp"

namespace tilewright::detail {
namespace {

constexpr VectorTile of_element(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return {128, 128, 8, 256};
    case 2:
      return {128, 64, 4, 256};
    case 4:
      return {64, 64, 4, 256};
    case 8:
      return {32, 64, 2, 256};
    default:
      return {32, 32, 1, 256};
  }
}

}  // namespace

std::int64_t preferred_vector(const TransposeProblem& p) { return of_element(p.type.bytes()).vector; }

std::array<VectorTile, 3> preferred_tiles(const TransposeProblem& p) {
  const VectorTile best = of_element(p.type.bytes());
  return {best, {8 * best.vector, 8 * best.vector, best.vector, 64}, {8, 8, 1, 1}};
}

std::vector<ParameterValues> vector_tile_preferences(const TransposeProblem& p, const DeviceProfile&) {
  const auto tiles = preferred_tiles(p);
  return {tiles.begin(), tiles.end()};
}

}  // namespace tilewright::detail
