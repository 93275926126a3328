#include <algorithm>

#include "transpose/variants/swapped.hpp"
#include "transpose/variants/vector_tiles.hpp"

namespace tilewright::detail {

extern const TransposeVariant swapped_tiles;
namespace {

std::vector<Constraint<TransposeProblem>> constraints() {
  auto result = vector_tile_constraints();
  result.push_back({"tile_m = tile_n",
                    "swapped tiles are square",
                    {"tile_m", "tile_n"},
                    [](const Configuration& c, const TransposeProblem&, const DeviceProfile&) {
                      return c["tile_m"] == c["tile_n"];
                    }});
  return result;
}

}  // namespace

const TransposeVariant swapped_tiles{
    .name = "swapped_tiles",
    .summary = "a square matrix in place: swaps two tiles in local memory across the diagonal",
    .file = "transpose/swapped_tiles.cl",
    .shared_files = {"transpose/lines.cl", "transpose/tile_moves.cl"},
    .parameters = vector_tile_parameters(),
    .constraints = constraints(),
    .edges = vector_tile_edges,
    .unsupported = only_squares_in_place,
    .preferences =
        [](const TransposeProblem& p, const DeviceProfile& d) {
          auto result = vector_tile_preferences(p, d);
          for (Configuration& c : result) {
            const std::int64_t tile = std::min(c["tile_m"], c["tile_n"]);
            c.set("tile_m", tile);
            c.set("tile_n", tile);
            const std::int64_t blocks = tile / c["vector"] * (tile / c["vector"]);
            c.set("wg", std::min(c["wg"], blocks));
          }
          return result;
        },
    .extra_defines = vector_tile_defines,
    .local_bytes = [](const Configuration& c, const TransposeProblem& p) { return 2 * vector_tile_bytes(c, p); },
    .private_bytes = [](const Configuration& c, const TransposeProblem& p,
                        const DeviceProfile& d) { return 2 * vector_tile_private_bytes(c, p, d); },
    .launches = [](const Configuration& c, const TransposeProblem& p,
                   const DeviceProfile&) { return launch_over_triangle(p, c["tile_m"], c["wg"]); },
};

}  // namespace tilewright::detail
