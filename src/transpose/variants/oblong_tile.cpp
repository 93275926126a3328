#include "transpose/variant.hpp"

namespace tilewright::detail {

extern const TransposeVariant oblong_tile;

const TransposeVariant oblong_tile{
    .name = "oblong_tile",
    .summary = "a tile of any shape in local memory, several elements per work-item",
    .file = "transpose/oblong_tile.cl",
    .parameters =
        {
            {"tile_m", {}, "rows of the tile of A", {8, 16, 32, 64, 128}},
            {"tile_n", {}, "columns of the tile of A", {8, 16, 32, 64, 128}},
            {"wg", {}, "work-items of a group", {32, 64, 128, 256, 512}},
        },
    .constraints = {{"tile_m tile_n is a multiple of wg",
                     "every work-item moves the same number of elements",
                     {"tile_m", "tile_n", "wg"},
                     [](const Configuration& c, const TransposeProblem&, const DeviceProfile&) {
                       return c["tile_m"] * c["tile_n"] % c["wg"] == 0;
                     }}},
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"]}, {c["tile_n"]}};
    },
    .unsupported = only_out_of_place,
    .preferences =
        [](const TransposeProblem&, const DeviceProfile&) {
          return std::vector<Configuration>{{{"tile_m", 64}, {"tile_n", 32}, {"wg", 256}},
                                            {{"tile_m", 16}, {"tile_n", 32}, {"wg", 64}},
                                            {{"tile_m", 8}, {"tile_n", 16}, {"wg", 1}}};
        },
    .local_bytes = [](const Configuration& c,
                      const TransposeProblem& p) { return bytes_of_elements(p, c["tile_m"] * c["tile_n"]); },
    .private_bytes =
        [](const Configuration& c, const TransposeProblem&, const DeviceProfile& d) {
          return kept_across_barriers(d, c["wg"], 0, 2 * c["tile_m"] * c["tile_n"] / c["wg"]);
        },
    .launches = [](const Configuration& c, const TransposeProblem& p,
                   const DeviceProfile&) { return launch_over_tiles(p, c["tile_m"], c["tile_n"], c["wg"]); },
};

}  // namespace tilewright::detail
