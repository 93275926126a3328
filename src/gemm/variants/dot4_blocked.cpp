#include <algorithm>

#include "gemm/variants/split_k.hpp"
#include "kernels/build_options.hpp"
#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail::gemm_variants {
namespace dot4_blocked_parts {
namespace {

struct Blocks {
  std::int64_t tile_m, tile_n, tile_k, item_m, item_n, swizzle = 8, slice_k = 512;
};

using Config = const Blocks&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

constexpr std::int64_t pad = 4;     // PAD in the kernel file
constexpr std::int64_t piece = 16;  // elements that a work-item reads at a time

std::int64_t items(Config c) { return c.tile_m / c.item_m * (c.tile_n / c.item_n); }

Slices slices_of(Config c, Problem p, Profile d) {
  return slices_of_tiles(p, d, tile_groups(c, p), groups_to_fill(d, items(c)), c.slice_k, c.tile_k);
}

// Inline PTX has dp4a from this compute capability on.
bool has_dp4a(Profile d) { return quirks_of(d.vendor).takes_ptx && nvidia_capability(d) >= 61; }

// Elements per read: as many as possible along k, four lines across k.
std::int64_t read_width(const StoredMatrix& matrix, Problem p, bool along_k) {
  for (const std::int64_t width : {piece, std::int64_t{4}})
    if ((along_k || width == 4) && rows_in_vectors(matrix, p.offset_alignment, width)) return width;
  return 1;
}

// Larger tiles reuse more, as long as nearly every compute unit has a tile.
std::vector<ParameterValues> gpu_preferences(Problem p, Profile d) {
  constexpr Blocks largest_first[] = {{.tile_m = 128, .tile_n = 128, .tile_k = 32, .item_m = 8, .item_n = 8},
                                      {.tile_m = 64, .tile_n = 128, .tile_k = 32, .item_m = 8, .item_n = 8},
                                      {.tile_m = 64, .tile_n = 64, .tile_k = 32, .item_m = 8, .item_n = 4},
                                      {.tile_m = 32, .tile_n = 32, .tile_k = 32, .item_m = 4, .item_n = 4}};
  return shrink_to_fill<Blocks>(largest_first, p, 0.9 * d.compute_units,
                                [&](Config c) { return tiles_in_c(c, p) * slices_of(c, p, d).count; });
}

}  // namespace

constexpr GemmVariant variant{
    .name = "dot4_blocked",
    .summary = "8-bit integers: dot products of four bytes, a 2-D block of C in registers per work-item",
    .program = {.file = "gemm/dot4_blocked.cl",
                .shared_files = {"common/dot4.cl", "gemm/tile_order.cl", "common/last_group.cl", "gemm/split_k.cl",
                                 split_k_reduction_file},
                .launch_parameters = {&Blocks::slice_k},
                .extra_defines =
                    [](Config, Problem p) {
                      return define("READ_A", read_width(stored_a(p), p, p.trans_a == Transpose::no)) +
                             define("READ_B", read_width(stored_b(p), p, p.trans_b == Transpose::yes)) +
                             define("STORE_C", c_in_vectors(p, 4) ? 4 : 1);
                    }},
    .parameters =
        {
            {"tile_m", &Blocks::tile_m, "rows of the tile of C", {4, 8, 16, 32, 64, 128, 256}},
            {"tile_n", &Blocks::tile_n, "columns of the tile of C", {4, 8, 16, 32, 64, 128, 256}},
            {"tile_k", &Blocks::tile_k, "depth of the tiles of A and B", {16, 32, 64, 128}},
            {"item_m", &Blocks::item_m, "rows of one work-item's block", {4, 8, 16}},
            {"item_n", &Blocks::item_n, "columns of one work-item's block", {4, 8, 16}},
            {"swizzle", &Blocks::swizzle, "tile rows per band in the order of work-groups", {1, 2, 4, 8, 16}},
            {"slice_k",
             &Blocks::slice_k,
             "minimum slice if k is split for lack of tiles; 0: never split",
             {0, 128, 512}},
        },
    .constraints =
        {
            {"item_m and item_n are multiples of 4, tile_k of 16",
             "blocks consist of vectors of four, tiles of pieces of 16 elements",
             {&Blocks::item_m, &Blocks::item_n, &Blocks::tile_k},
             [](Config c, Problem, Profile) {
               return c.item_m % 4 == 0 && c.item_n % 4 == 0 && c.tile_k % piece == 0;
             }},
            {"tile_m is a multiple of item_m, tile_n of item_n",
             "a block does not cross tiles",
             {&Blocks::tile_m, &Blocks::tile_n, &Blocks::item_m, &Blocks::item_n},
             [](Config c, Problem, Profile) { return c.tile_m % c.item_m == 0 && c.tile_n % c.item_n == 0; }},
            {"tile_m tile_k and tile_n tile_k are multiples of 16 times the work-items of a group",
             "every work-item reads the same number of pieces of each tile",
             {&Blocks::tile_m, &Blocks::tile_n, &Blocks::tile_k, &Blocks::item_m, &Blocks::item_n},
             [](Config c, Problem, Profile) {
               return c.tile_m * c.tile_k % (piece * items(c)) == 0 && c.tile_n * c.tile_k % (piece * items(c)) == 0;
             }},
            {"(tile_m + tile_n) tile_k <= 256 times the work-items of a group",
             "a work-item holds at most 16 pieces in registers",
             {&Blocks::tile_m, &Blocks::tile_n, &Blocks::tile_k, &Blocks::item_m, &Blocks::item_n},
             [](Config c, Problem, Profile) { return (c.tile_m + c.tile_n) * c.tile_k <= 16 * piece * items(c); }},
            {"item_m item_n <= 256",
             "a larger block is spilled to memory",
             {&Blocks::item_m, &Blocks::item_n},
             [](Config c, Problem, Profile) { return c.item_m * c.item_n <= 256; }},
        },
    .preferences =
        [](Problem p, Profile d) {
          constexpr Blocks on_cpus{.tile_m = 8, .tile_n = 8, .tile_k = 16, .item_m = 8, .item_n = 8};
          auto result = d.type == DeviceType::cpu ? std::vector<ParameterValues>{on_cpus} : gpu_preferences(p, d);
          result.emplace_back(Blocks{.tile_m = 4, .tile_n = 4, .tile_k = 16, .item_m = 4, .item_n = 4});
          return result;
        },
    .edges = [](const Blocks& c) -> Edges {
      return {{c.tile_m, c.tile_m * c.swizzle}, {c.tile_n}, {c.tile_k, 4, piece, c.slice_k}};
    },
    .needs = {.types = {DataType::i8, DataType::u8}, .why_no_other_type = "it multiplies 8-bit integers only"},
    .memory = {.local_bytes =
                   [](Config c, Problem) {
                     return static_cast<std::uint64_t>(2 * c.tile_k * (c.tile_m + c.tile_n + 2 * pad));
                   },
               .local_bytes_from = {&Blocks::tile_m, &Blocks::tile_n, &Blocks::tile_k},
               .private_bytes =
                   [](Config c, Problem, Profile d) {
                     const std::int64_t words = c.item_m * c.item_n + c.item_m + c.item_n;
                     const std::int64_t pieces = (c.tile_m + c.tile_n) * c.tile_k / items(c);
                     return kept_across_barriers(d, items(c), static_cast<std::uint64_t>(4 * words + 2 * pieces), 4);
                   }},
    .execution =
        [](Config c, Problem p, Profile d) {
          Execution execution = in_slices(p, d, tile_groups(c, p), items(c), slices_of(c, p, d));
          if (has_dp4a(d)) execution.launches.front().defines += define("DOT4_PTX", 1);
          return execution;
        },
    .execution_from = {&Blocks::tile_m, &Blocks::tile_n, &Blocks::tile_k, &Blocks::item_m, &Blocks::item_n,
                       &Blocks::slice_k},
};

}  // namespace dot4_blocked_parts

extern constexpr GemmVariant dot4_blocked = dot4_blocked_parts::variant;

}  // namespace tilewright::detail::gemm_variants
