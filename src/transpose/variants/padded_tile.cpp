#include <algorithm>
#include <bit>

#include "transpose/variant.hpp"

namespace tilewright::detail::transpose_variants {
namespace {

struct PaddedTile {
  std::int64_t tile_m, tile_n, wg, pad, swizzle = 0;
};

using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

std::int64_t per_item(const PaddedTile& c) { return c.tile_m * c.tile_n / c.wg; }

// Elements of padding that shift the next row of a tile by one bank of 4 bytes.
std::int64_t bank(Problem p) { return std::max<std::int64_t>(1, 4 / static_cast<std::int64_t>(p.type.bytes())); }

}  // namespace

extern constexpr TransposeVariant padded_tile{
    .name = "padded_tile",
    .summary = "a tile in local memory without bank conflicts, all reads of a work-item in flight at once",
    .program = {.file = "transpose/padded_tile.cl"},
    .parameters =
        {
            {"tile_m", &PaddedTile::tile_m, "rows of the tile of A", {8, 16, 32, 64, 128}},
            {"tile_n", &PaddedTile::tile_n, "columns of the tile of A", {8, 16, 32, 64, 128}},
            {"wg", &PaddedTile::wg, "work-items of a group", {32, 64, 128, 256, 512}},
            {"pad", &PaddedTile::pad, "elements after each row of the tile", {0, 1, 2, 4}},
            {"swizzle",
             &PaddedTile::swizzle,
             "1: the columns of row y are exchanged by an exclusive or with y",
             {0, 1}},
        },
    .constraints =
        {
            {"tile_m tile_n is a multiple of wg",
             "every work-item moves the same number of elements",
             {&PaddedTile::tile_m, &PaddedTile::tile_n, &PaddedTile::wg},
             [](const PaddedTile& c, Problem, Profile) { return c.tile_m * c.tile_n % c.wg == 0; }},
            {"pad is at most 64, swizzle 0 or 1",
             "more is of no use",
             {&PaddedTile::pad, &PaddedTile::swizzle},
             [](const PaddedTile& c, Problem, Profile) { return c.pad <= 64 && c.swizzle <= 1; }},
            {"tile_n is a power of two if it is swizzled",
             "an exclusive or would otherwise leave the row",
             {&PaddedTile::tile_n, &PaddedTile::swizzle},
             [](const PaddedTile& c, Problem, Profile) {
               return c.swizzle == 0 || std::has_single_bit(static_cast<std::uint64_t>(c.tile_n));
             }},
            {"a work-item moves at most 64 elements",
             "they are in its registers",
             {&PaddedTile::tile_m, &PaddedTile::tile_n, &PaddedTile::wg},
             [](const PaddedTile& c, Problem, Profile) { return per_item(c) <= 64; }},
        },
    .preferences = [](Problem p, Profile) -> std::vector<ParameterValues> {
      std::vector<ParameterValues> result{PaddedTile{32, 32, 256, bank(p)}, PaddedTile{16, 16, 64, bank(p)},
                                          PaddedTile{8, 8, 1, 0}};
      if (p.type.bytes() <= 2) result.insert(result.begin(), PaddedTile{64, 64, 256, bank(p)});
      return result;
    },
    .strategies = {{{&PaddedTile::pad, 0}, {&PaddedTile::swizzle, 1}}},
    .edges = [](const PaddedTile& c) -> Edges {
      return {{c.tile_m}, {c.tile_n}};
    },
    .needs = {.unsupported = only_out_of_place},
    .memory = {.local_bytes = [](const PaddedTile& c,
                                 Problem p) { return bytes_of_elements(p, c.tile_m * (c.tile_n + c.pad)); },
               .private_bytes =
                   [](const PaddedTile& c, Problem p, Profile d) {
                     return kept_across_barriers(d, c.wg, bytes_of_elements(p, per_item(c)), 2 * per_item(c));
                   }},
    .execution = [](const PaddedTile& c, Problem p, Profile) { return over_tiles(p, c.tile_m, c.tile_n, c.wg); },
};

}  // namespace tilewright::detail::transpose_variants
