#include "gemm/register_blocked.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "gemm/variants/split_k.hpp"
#include "kernels/build_options.hpp"

namespace tilewright::detail::gemm_variants {
namespace register_blocked_parts {
namespace {

struct Blocks {
  std::int64_t tile_m, tile_n, tile_k, item_m, item_n;
  std::int64_t vector_m = 1, vector_n = 1, vector_k = 1, sub_m = 1, sub_n = 1, pad = 0;
  std::int64_t buffers = 2, prefetch = 1, unroll = 4, swizzle = 8, slice_k = 0;
};

using Config = const Blocks&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

constexpr std::int64_t warp = 32;  // work-items that run in lockstep

std::int64_t items(Config c) { return c.tile_m / c.item_m * (c.tile_n / c.item_n); }

Slices slices_of(Config c, Problem p, Profile d) {
  return slices_of_tiles(p, d, tile_groups(c, p), groups_to_fill(d, items(c)), c.slice_k, c.tile_k);
}

// An operand is read in vectors along its rows.
std::int64_t a_width(Config c, Problem p) { return p.trans_a == Transpose::no ? c.vector_k : c.vector_m; }
std::int64_t b_width(Config c, Problem p) { return p.trans_b == Transpose::no ? c.vector_n : c.vector_k; }

// Completes a configuration for GPUs: steps of k are unrolled, and a sub-tile is a warp's.
constexpr Blocks on_gpus(Blocks c, std::int64_t vector = 4) {
  c.vector_m = c.vector_n = c.vector_k = c.pad = vector;
  c.sub_n = warp / c.sub_m;
  c.unroll = c.tile_k;
  return c;
}

// Exchanges m and n.
Blocks transposed(Blocks c) {
  std::swap(c.tile_m, c.tile_n);
  std::swap(c.item_m, c.item_n);
  std::swap(c.sub_m, c.sub_n);
  return c;
}

// Measured on an H200, largest first.
constexpr Blocks f64_blocks[] = {
    on_gpus({.tile_m = 128, .tile_n = 128, .tile_k = 8, .item_m = 8, .item_n = 8, .sub_m = 16}, 2),
    on_gpus({.tile_m = 64, .tile_n = 64, .tile_k = 8, .item_m = 8, .item_n = 4, .sub_m = 4}, 2),
    on_gpus({.tile_m = 32, .tile_n = 32, .tile_k = 8, .item_m = 4, .item_n = 4, .sub_m = 4}, 2),
};
constexpr Blocks f32_blocks[] = {
    on_gpus({.tile_m = 256, .tile_n = 128, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 16}),
    on_gpus({.tile_m = 128, .tile_n = 128, .tile_k = 8, .item_m = 8, .item_n = 8, .sub_m = 16}),
    on_gpus({.tile_m = 64, .tile_n = 128, .tile_k = 8, .item_m = 8, .item_n = 8, .sub_m = 8}),
    on_gpus({.tile_m = 32, .tile_n = 64, .tile_k = 16, .item_m = 4, .item_n = 4, .sub_m = 2}),
    on_gpus({.tile_m = 32, .tile_n = 32, .tile_k = 16, .item_m = 4, .item_n = 4, .sub_m = 4}),
};

// For C with at most this many rows, and many columns.
constexpr Blocks of_16_rows =
    on_gpus({.tile_m = 16, .tile_n = 128, .tile_k = 16, .item_m = 8, .item_n = 4, .sub_m = 1});
constexpr Blocks of_32_rows =
    on_gpus({.tile_m = 32, .tile_n = 128, .tile_k = 16, .item_m = 8, .item_n = 4, .sub_m = 2});
constexpr Blocks of_64_rows =
    on_gpus({.tile_m = 64, .tile_n = 128, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 4});
constexpr Blocks of_64_squared =
    on_gpus({.tile_m = 64, .tile_n = 64, .tile_k = 16, .item_m = 8, .item_n = 8, .sub_m = 8});
constexpr Blocks of_128_squared =
    on_gpus({.tile_m = 128, .tile_n = 128, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 8});
constexpr Blocks of_128_rows =
    on_gpus({.tile_m = 128, .tile_n = 256, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 8});

// One work-item per group, without features that need several work-items to share a tile.
constexpr Blocks single_item(std::int64_t tile_m, std::int64_t tile_n, std::int64_t tile_k, std::int64_t vector) {
  return {.tile_m = tile_m,
          .tile_n = tile_n,
          .tile_k = tile_k,
          .item_m = tile_m,
          .item_n = tile_n,
          .vector_n = vector,
          .vector_k = vector,
          .buffers = 1,
          .prefetch = 0,
          .swizzle = 1};
}

// No barriers: a group's block of C in vector registers, and the tiles as packed copies.
Blocks cpu_preference(Problem p, Profile d) {
  const std::int64_t native = native_vector_width(d, accumulator_of(p.type));
  const std::int64_t vector = is_vector_width(native) ? native : 4;
  return single_item(6, 2 * vector, 64, vector);
}

// For C with too few tiles for a GPU but a long k: a tile as narrow as C, and k in slices. Measured on an H200.
Blocks skinny_preference(Problem p) {
  const std::uint64_t narrow = std::min(p.m, p.n), wide = std::max(p.m, p.n);
  const Blocks& blocks = narrow <= 16   ? of_16_rows
                         : narrow <= 32 ? of_32_rows
                         : narrow <= 64 ? (wide <= 64 ? of_64_squared : of_64_rows)
                                        : (wide <= 128 ? of_128_squared : of_128_rows);
  Blocks result = p.n < p.m ? transposed(blocks) : blocks;
  result.slice_k = 256;
  return result;
}

bool is_skinny(Problem p) {
  const std::uint64_t narrow = std::min(p.m, p.n), wide = std::max(p.m, p.n);
  return p.k >= 1024 && (narrow <= 128 || (wide <= 256 && p.k >= 8 * wide));
}

// Larger tiles reuse more, as long as nearly every compute unit has a tile. Measured on an H200.
std::vector<ParameterValues> gpu_preferences(Problem p, Profile d) {
  const double nearly_all = 0.9 * d.compute_units;
  const bool is_f64 = accumulator_of(p.type) == DataType::f64;
  auto result = shrink_to_fill<Blocks>(is_f64 ? std::span<const Blocks>(f64_blocks) : f32_blocks, p, nearly_all,
                                       [&](Config c) { return tiles_in_c(c, p); });
  if (!is_f64 && is_skinny(p)) result.insert(result.begin(), skinny_preference(p));
  return result;
}

}  // namespace

constexpr GemmVariant variant{
    .name = "register_blocked",
    .summary = "a 2-D block of C in registers per work-item, tiles of A and B in local memory",
    .program = {.file = "gemm/register_blocked.cl",
                .shared_files = {"gemm/tile_order.cl", "gemm/k_range.cl", "common/last_group.cl", "gemm/split_k.cl",
                                 split_k_reduction_file},
                .launch_parameters = {&Blocks::slice_k},
                .extra_defines =
                    [](const Blocks& c, const CoreProduct& p) {
                      const auto width = [&](const StoredMatrix& matrix, std::int64_t wanted) {
                        return rows_in_vectors(matrix, p.offset_alignment, wanted) ? wanted : 1;
                      };
                      return define("READ_A", width(stored_a(p), a_width(c, p))) +
                             define("READ_B", width(stored_b(p), b_width(c, p))) +
                             define("STORE_C", c_in_vectors(p, c.vector_n) ? c.vector_n : 1);
                    }},
    .parameters =
        {
            {"tile_m", &Blocks::tile_m, "rows of the tile of C", {4, 6, 8, 12, 14, 16, 32, 64, 128, 256}},
            {"tile_n", &Blocks::tile_n, "columns of the tile of C", {8, 16, 32, 64, 128, 256}},
            {"tile_k", &Blocks::tile_k, "depth of the tiles of A and B", {4, 8, 16, 32, 64}},
            {"item_m", &Blocks::item_m, "rows of one work-item's block", {1, 2, 4, 6, 8, 12, 14, 16}},
            {"item_n", &Blocks::item_n, "columns of one work-item's block", {1, 2, 4, 8, 16, 32}},
            {"vector_m", &Blocks::vector_m, "elements per vector along m", {1, 2, 4, 8, 16}},
            {"vector_n", &Blocks::vector_n, "elements per vector along n", {1, 2, 4, 8, 16}},
            {"vector_k", &Blocks::vector_k, "elements per vector along k", {1, 2, 4, 8, 16}},
            {"sub_m", &Blocks::sub_m, "rows of a sub-tile of consecutive work-items", {1, 2, 4, 8, 16}},
            {"sub_n", &Blocks::sub_n, "columns of a sub-tile of consecutive work-items", {1, 2, 4, 8, 16, 32}},
            {"pad", &Blocks::pad, "padding elements after each row of a local tile", {0, 2, 4, 8}},
            {"buffers", &Blocks::buffers, "local tiles of each operand", {1, 2}},
            {"prefetch",
             &Blocks::prefetch,
             "1: read the next tiles from global memory before using the current ones",
             {0, 1}},
            {"unroll", &Blocks::unroll, "steps of k that are unrolled", {1, 2, 4, 8, 16, 32}},
            {"swizzle", &Blocks::swizzle, "tile rows per band in the order of work-groups", {1, 2, 4, 8, 16}},
            {"slice_k",
             &Blocks::slice_k,
             "minimum slice if k is split for lack of tiles; 0: never split",
             {0, 32, 256, 1024}},
        },
    .constraints =
        {
            {"vector_m, vector_n and vector_k are 1, 2, 4, 8 or 16",
             "OpenCL C has no other vectors",
             {&Blocks::vector_m, &Blocks::vector_n, &Blocks::vector_k},
             [](Config c, Problem, Profile) {
               return is_vector_width(c.vector_m) && is_vector_width(c.vector_n) && is_vector_width(c.vector_k);
             }},
            {"tile_m is a multiple of item_m, tile_n of item_n",
             "a block does not cross tiles",
             {&Blocks::tile_m, &Blocks::tile_n, &Blocks::item_m, &Blocks::item_n},
             [](Config c, Problem, Profile) { return c.tile_m % c.item_m == 0 && c.tile_n % c.item_n == 0; }},
            {"item_m, item_n and tile_k are multiples of vector_m, vector_n and vector_k",
             "vectors do not cross blocks",
             {&Blocks::tile_k, &Blocks::item_m, &Blocks::item_n, &Blocks::vector_m, &Blocks::vector_n,
              &Blocks::vector_k},
             [](Config c, Problem, Profile) {
               return c.item_m % c.vector_m == 0 && c.item_n % c.vector_n == 0 && c.tile_k % c.vector_k == 0;
             }},
            {"pad is a multiple of vector_m and vector_n",
             "rows of local tiles are whole vectors",
             {&Blocks::vector_m, &Blocks::vector_n, &Blocks::pad},
             [](Config c, Problem, Profile) { return c.pad % c.vector_m == 0 && c.pad % c.vector_n == 0; }},
            {"sub_m divides tile_m / item_m, sub_n divides tile_n / item_n",
             "sub-tiles do not cross tiles",
             {&Blocks::tile_m, &Blocks::tile_n, &Blocks::item_m, &Blocks::item_n, &Blocks::sub_m, &Blocks::sub_n},
             [](Config c, Problem, Profile) {
               return c.tile_m / c.item_m % c.sub_m == 0 && c.tile_n / c.item_n % c.sub_n == 0;
             }},
            {"tile_m tile_k and tile_n tile_k are multiples of a vector times the work-items of a group",
             "every work-item reads the same number of vectors, along either side of the tile",
             {&Blocks::tile_m, &Blocks::tile_n, &Blocks::tile_k, &Blocks::item_m, &Blocks::item_n, &Blocks::vector_m,
              &Blocks::vector_n, &Blocks::vector_k},
             [](Config c, Problem, Profile) {
               return c.tile_m * c.tile_k % (std::max(c.vector_m, c.vector_k) * items(c)) == 0 &&
                      c.tile_n * c.tile_k % (std::max(c.vector_n, c.vector_k) * items(c)) == 0;
             }},
            {"item_m item_n <= 1024",
             "a larger block is spilled to memory",
             {&Blocks::item_m, &Blocks::item_n},
             [](Config c, Problem, Profile) { return c.item_m * c.item_n <= 1024; }},
            {"buffers is 1 or 2, prefetch 0 or 1",
             "the kernel implements no other values",
             {&Blocks::buffers, &Blocks::prefetch},
             [](Config c, Problem, Profile) { return c.buffers <= 2 && c.prefetch <= 1; }},
        },
    .preferences =
        [](const CoreProduct& p, const DeviceProfile& d) {
          auto result =
              d.type == DeviceType::cpu ? std::vector<ParameterValues>{cpu_preference(p, d)} : gpu_preferences(p, d);
          result.emplace_back(single_item(4, 4, 4, 1));
          return result;
        },
    .edges = [](const Blocks& c) -> Edges {
      return {{c.tile_m, c.tile_m * c.swizzle}, {c.tile_n}, {c.tile_k, c.slice_k}};
    },
    .computes_part = [](const Blocks& c, const CoreProduct& p) { return leaves_out_tiles_or_steps(c, p); },
    .memory = {.local_bytes =
                   [](const Blocks& c, const CoreProduct& p) {
                     return static_cast<std::uint64_t>(c.buffers * c.tile_k * (c.tile_m + c.tile_n + 2 * c.pad)) *
                            accumulator_bytes(p.type);
                   },
               .local_bytes_from = {&Blocks::tile_m, &Blocks::tile_n, &Blocks::tile_k, &Blocks::pad, &Blocks::buffers},
               .private_bytes =
                   [](Config c, Problem p, Profile d) {
                     std::int64_t elements = c.item_m * c.item_n + c.item_m + c.item_n;
                     // The parts of the tiles that are being moved to local memory, and an index for each read.
                     if (c.prefetch != 0) elements += 3 * (c.tile_m + c.tile_n) * c.tile_k / items(c);
                     return kept_across_barriers(
                         d, items(c), static_cast<std::uint64_t>(elements) * accumulator_bytes(p.type), c.unroll);
                   }},
    .execution = [](Config c, Problem p,
                    Profile d) { return in_slices(p, d, tile_groups(c, p), items(c), slices_of(c, p, d)); },
    .execution_from = {&Blocks::tile_m, &Blocks::tile_n, &Blocks::tile_k, &Blocks::item_m, &Blocks::item_n,
                       &Blocks::slice_k},
};

}  // namespace register_blocked_parts

extern constexpr GemmVariant register_blocked = register_blocked_parts::variant;

bool register_blocked_splits_k(const ParameterValues& values) {
  return values.as<register_blocked_parts::Blocks>().slice_k > 0;
}

}  // namespace tilewright::detail::gemm_variants
