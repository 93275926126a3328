#include <algorithm>
#include <bit>

#include "transpose/variant.hpp"

namespace tilewright::detail {

extern const TransposeVariant padded_tile;
namespace {

using Config = const Configuration&;
using Problem = const TransposeProblem&;
using Profile = const DeviceProfile&;

std::int64_t per_item(Config c) { return c["tile_m"] * c["tile_n"] / c["wg"]; }

// Elements of padding that shift the next row of a tile by one bank of 4 bytes.
std::int64_t bank(Problem p) { return std::max<std::int64_t>(1, 4 / static_cast<std::int64_t>(p.type.bytes())); }

Configuration tile(std::int64_t m, std::int64_t n, std::int64_t wg, std::int64_t pad) {
  return {{"tile_m", m}, {"tile_n", n}, {"wg", wg}, {"pad", pad}, {"swizzle", 0}};
}

}  // namespace

const TransposeVariant padded_tile{
    .name = "padded_tile",
    .summary = "a tile in local memory without bank conflicts, all reads of a work-item in flight at once",
    .file = "transpose/padded_tile.cl",
    .parameters =
        {
            {"tile_m", {}, "rows of the tile of A", {8, 16, 32, 64, 128}},
            {"tile_n", {}, "columns of the tile of A", {8, 16, 32, 64, 128}},
            {"wg", {}, "work-items of a group", {32, 64, 128, 256, 512}},
            {"pad", {}, "elements after each row of the tile", {0, 1, 2, 4}},
            {"swizzle", {}, "1: the columns of row y are exchanged by an exclusive or with y", {0, 1}},
        },
    .strategies = {{{"pad", 0}, {"swizzle", 1}}},
    .constraints =
        {
            {"tile_m tile_n is a multiple of wg",
             "every work-item moves the same number of elements",
             {"tile_m", "tile_n", "wg"},
             [](Config c, Problem, Profile) { return c["tile_m"] * c["tile_n"] % c["wg"] == 0; }},
            {"pad is at most 64, swizzle 0 or 1",
             "more is of no use",
             {"pad", "swizzle"},
             [](Config c, Problem, Profile) { return c["pad"] <= 64 && c["swizzle"] <= 1; }},
            {"tile_n is a power of two if it is swizzled",
             "an exclusive or would otherwise leave the row",
             {"tile_n", "swizzle"},
             [](Config c, Problem, Profile) {
               return c["swizzle"] == 0 || std::has_single_bit(static_cast<std::uint64_t>(c["tile_n"]));
             }},
            {"a work-item moves at most 64 elements",
             "they are in its registers",
             {"tile_m", "tile_n", "wg"},
             [](Config c, Problem, Profile) { return per_item(c) <= 64; }},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"]}, {c["tile_n"]}};
    },
    .unsupported = only_out_of_place,
    .preferences =
        [](Problem p, Profile) {
          std::vector<Configuration> result{tile(32, 32, 256, bank(p)), tile(16, 16, 64, bank(p)), tile(8, 8, 1, 0)};
          if (p.type.bytes() <= 2) result.insert(result.begin(), tile(64, 64, 256, bank(p)));
          return result;
        },
    .local_bytes = [](Config c, Problem p) { return bytes_of_elements(p, c["tile_m"] * (c["tile_n"] + c["pad"])); },
    .private_bytes =
        [](Config c, Problem p, Profile d) {
          return kept_across_barriers(d, c["wg"], bytes_of_elements(p, per_item(c)), 2 * per_item(c));
        },
    .launches = [](Config c, Problem p, Profile) { return launch_over_tiles(p, c["tile_m"], c["tile_n"], c["wg"]); },
};

}  // namespace tilewright::detail
