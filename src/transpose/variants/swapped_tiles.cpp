#include <algorithm>

#include "transpose/variants/swapped.hpp"
#include "transpose/variants/vector_tiles.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

constexpr Constraints<TransposeProblem> constraints() {
  auto result = vector_tile_constraints;
  result.push_back(
      {"tile_m = tile_n",
       "swapped tiles are square",
       {&VectorTile::tile_m, &VectorTile::tile_n},
       [](const VectorTile& c, const TransposeProblem&, const DeviceProfile&) { return c.tile_m == c.tile_n; }});
  return result;
}

}  // namespace

extern constexpr TransposeVariant swapped_tiles{
    .name = "swapped_tiles",
    .summary = "a square matrix in place: swaps two tiles in local memory across the diagonal",
    .program = {.file = "transpose/swapped_tiles.cl",
                .shared_files = {"transpose/lines.cl", "transpose/tile_moves.cl"},
                .extra_defines = vector_tile_defines},
    .parameters = vector_tile_parameters,
    .constraints = constraints(),
    .preferences = [](const TransposeProblem& p, const DeviceProfile&) -> std::vector<ParameterValues> {
      auto tiles = preferred_tiles(p);
      for (VectorTile& c : tiles) {
        c.tile_m = c.tile_n = std::min(c.tile_m, c.tile_n);
        c.wg = std::min(c.wg, c.blocks());
      }
      return {tiles.begin(), tiles.end()};
    },
    .edges = vector_tile_edges,
    .needs = {.unsupported = only_squares_in_place},
    .memory = {.local_bytes = [](const VectorTile& c,
                                 const TransposeProblem& p) { return 2 * vector_tile_bytes(c, p); },
               .private_bytes = [](const VectorTile& c, const TransposeProblem& p,
                                   const DeviceProfile& d) { return 2 * vector_tile_private_bytes(c, p, d); }},
    .execution = [](const VectorTile& c, const TransposeProblem& p,
                    const DeviceProfile&) { return over_triangle(p, c.tile_m, c.wg); },
};

}  // namespace tilewright::detail::transpose_variants
