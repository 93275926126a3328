#include <algorithm>

#include "gemm/variants/split_k.hpp"
#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail {

extern const GemmVariant dot4_blocked;
namespace {

using Config = const Configuration&;
using Problem = const GemmProblem&;
using Profile = const DeviceProfile&;

constexpr std::int64_t pad = 4;     // PAD in the kernel file
constexpr std::int64_t piece = 16;  // elements that a work-item reads at a time

std::int64_t items(Config c) { return c["tile_m"] / c["item_m"] * (c["tile_n"] / c["item_n"]); }

TileGroups tiles_of(Config c, Problem p) {
  return {ceil_div(p.m, c["tile_m"]) * ceil_div(p.n, c["tile_n"]),
          static_cast<std::uint64_t>(c["tile_m"] * c["tile_n"])};
}

Slices slices_of(Config c, Problem p, Profile d) {
  return slices_of_tiles(p, d, tiles_of(c, p), groups_to_fill(d, items(c)), c["slice_k"], c["tile_k"]);
}

// Inline PTX has dp4a from this compute capability on.
bool has_dp4a(Profile d) { return quirks_of(d.vendor).takes_ptx && nvidia_capability(d) >= 61; }

// Elements per read: as many as possible along k, four lines across k.
std::int64_t read_width(const StoredMatrix& matrix, Problem p, bool along_k) {
  for (const std::int64_t width : {piece, std::int64_t{4}})
    if ((along_k || width == 4) && rows_in_vectors(matrix, p.offset_alignment, width)) return width;
  return 1;
}

Configuration configuration(std::int64_t tile_m, std::int64_t tile_n, std::int64_t tile_k, std::int64_t item_m,
                            std::int64_t item_n) {
  return {{"tile_m", tile_m}, {"tile_n", tile_n}, {"tile_k", tile_k}, {"item_m", item_m},
          {"item_n", item_n}, {"swizzle", 8},     {"slice_k", 512}};
}

// Larger tiles reuse more, as long as nearly every compute unit has a tile.
std::vector<Configuration> gpu_preferences(Problem p, Profile d) {
  return shrink_to_fill(dot4_blocked, p, d, 0.9 * d.compute_units,
                        {configuration(128, 128, 32, 8, 8), configuration(64, 128, 32, 8, 8),
                         configuration(64, 64, 32, 8, 4), configuration(32, 32, 32, 4, 4)});
}

}  // namespace

const GemmVariant dot4_blocked{
    .name = "dot4_blocked",
    .summary = "8-bit integers: dot products of four bytes, a 2-D block of C in registers per work-item",
    .file = "gemm/dot4_blocked.cl",
    .shared_files = {"common/dot4.cl", "gemm/tile_order.cl", "common/last_group.cl", "gemm/split_k.cl",
                     split_k_reduction_file},
    .parameters =
        {
            {"tile_m", {}, "rows of the tile of C", {4, 8, 16, 32, 64, 128, 256}},
            {"tile_n", {}, "columns of the tile of C", {4, 8, 16, 32, 64, 128, 256}},
            {"tile_k", {}, "depth of the tiles of A and B", {16, 32, 64, 128}},
            {"item_m", {}, "rows of one work-item's block", {4, 8, 16}},
            {"item_n", {}, "columns of one work-item's block", {4, 8, 16}},
            {"swizzle", {}, "tile rows per band in the order of work-groups", {1, 2, 4, 8, 16}},
            {"slice_k", {}, "minimum slice if k is split for lack of tiles; 0: never split", {0, 128, 512}},
        },
    .constraints =
        {
            {"item_m and item_n are multiples of 4, tile_k of 16",
             "blocks consist of vectors of four, tiles of pieces of 16 elements",
             {"item_m", "item_n", "tile_k"},
             [](Config c, Problem, Profile) {
               return c["item_m"] % 4 == 0 && c["item_n"] % 4 == 0 && c["tile_k"] % piece == 0;
             }},
            {"tile_m is a multiple of item_m, tile_n of item_n",
             "a block does not cross tiles",
             {"tile_m", "tile_n", "item_m", "item_n"},
             [](Config c, Problem, Profile) {
               return c["tile_m"] % c["item_m"] == 0 && c["tile_n"] % c["item_n"] == 0;
             }},
            {"tile_m tile_k and tile_n tile_k are multiples of 16 times the work-items of a group",
             "every work-item reads the same number of pieces of each tile",
             {"tile_m", "tile_n", "tile_k", "item_m", "item_n"},
             [](Config c, Problem, Profile) {
               return c["tile_m"] * c["tile_k"] % (piece * items(c)) == 0 &&
                      c["tile_n"] * c["tile_k"] % (piece * items(c)) == 0;
             }},
            {"(tile_m + tile_n) tile_k <= 256 times the work-items of a group",
             "a work-item holds at most 16 pieces in registers",
             {"tile_m", "tile_n", "tile_k", "item_m", "item_n"},
             [](Config c, Problem, Profile) {
               return (c["tile_m"] + c["tile_n"]) * c["tile_k"] <= 16 * piece * items(c);
             }},
            {"item_m item_n <= 256",
             "a larger block is spilled to memory",
             {"item_m", "item_n"},
             [](Config c, Problem, Profile) { return c["item_m"] * c["item_n"] <= 256; }},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"], c["tile_m"] * c["swizzle"]}, {c["tile_n"]}, {c["tile_k"], 4, piece, c["slice_k"]}};
    },
    .types = {DataType::i8, DataType::u8},
    .why_no_other_type = "it multiplies 8-bit integers only",
    .unsupported = always_supported,
    .preferences =
        [](Problem p, Profile d) {
          std::vector<Configuration> result;
          if (d.type != DeviceType::cpu) result = gpu_preferences(p, d);
          if (d.type == DeviceType::cpu) result.push_back(configuration(8, 8, 16, 8, 8));
          result.push_back(configuration(4, 4, 16, 4, 4));
          return result;
        },
    .launch_parameters = {"slice_k"},
    .extra_defines =
        [](Config, Problem p) {
          return " -DREAD_A=" + std::to_string(read_width(stored_a(p), p, p.trans_a == Transpose::no)) +
                 " -DREAD_B=" + std::to_string(read_width(stored_b(p), p, p.trans_b == Transpose::yes)) +
                 " -DSTORE_C=" + (c_in_vectors(p, 4) ? '4' : '1');
        },
    .local_bytes =
        [](Config c, Problem) {
          return static_cast<std::uint64_t>(2 * c["tile_k"] * (c["tile_m"] + c["tile_n"] + 2 * pad));
        },
    .local_bytes_from = {"tile_m", "tile_n", "tile_k"},
    .private_bytes =
        [](Config c, Problem, Profile d) {
          const std::int64_t words = c["item_m"] * c["item_n"] + c["item_m"] + c["item_n"];
          const std::int64_t pieces = (c["tile_m"] + c["tile_n"]) * c["tile_k"] / items(c);
          return kept_across_barriers(d, items(c), static_cast<std::uint64_t>(4 * words + 2 * pieces), 4);
        },
    .workspaces = [](Config c, Problem p,
                     Profile d) { return slices_workspaces(p, slices_of(c, p, d), tiles_of(c, p)); },
    .launches =
        [](Config c, Problem p, Profile d) {
          auto launches = groups_in_slices(p, d, tiles_of(c, p), items(c), slices_of(c, p, d));
          if (has_dp4a(d)) launches.front().defines += " -DDOT4_PTX=1";
          return launches;
        },
    .execution_from = {"tile_m", "tile_n", "tile_k", "item_m", "item_n", "slice_k"},
};

}  // namespace tilewright::detail
