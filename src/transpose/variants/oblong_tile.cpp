#include "transpose/variant.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct OblongTile {
  std::int64_t tile_m, tile_n, wg;
};

}  // namespace

extern constexpr TransposeVariant oblong_tile{
    .name = "oblong_tile",
    .summary = "a tile of any shape in local memory, several elements per work-item",
    .program = {.file = "transpose/oblong_tile.cl"},
    .parameters =
        {
            {"tile_m", &OblongTile::tile_m, "rows of the tile of A", {8, 16, 32, 64, 128}},
            {"tile_n", &OblongTile::tile_n, "columns of the tile of A", {8, 16, 32, 64, 128}},
            {"wg", &OblongTile::wg, "work-items of a group", {32, 64, 128, 256, 512}},
        },
    .constraints = {{"tile_m tile_n is a multiple of wg",
                     "every work-item moves the same number of elements",
                     {&OblongTile::tile_m, &OblongTile::tile_n, &OblongTile::wg},
                     [](const OblongTile& c, const TransposeProblem&, const DeviceProfile&) {
                       return c.tile_m * c.tile_n % c.wg == 0;
                     }}},
    .preferences = [](const TransposeProblem&, const DeviceProfile&) -> std::vector<ParameterValues> {
      return {OblongTile{64, 32, 256}, OblongTile{16, 32, 64}, OblongTile{8, 16, 1}};
    },
    .edges = [](const OblongTile& c) -> Edges {
      return {{c.tile_m}, {c.tile_n}};
    },
    .needs = {.unsupported = only_out_of_place},
    .memory = {.local_bytes = [](const OblongTile& c,
                                 const TransposeProblem& p) { return bytes_of_elements(p, c.tile_m * c.tile_n); },
               .private_bytes =
                   [](const OblongTile& c, const TransposeProblem&, const DeviceProfile& d) {
                     return kept_across_barriers(d, c.wg, 0, 2 * c.tile_m * c.tile_n / c.wg);
                   }},
    .execution = [](const OblongTile& c, const TransposeProblem& p,
                    const DeviceProfile&) { return over_tiles(p, c.tile_m, c.tile_n, c.wg); },
};

}  // namespace tilewright::detail::transpose_variants
