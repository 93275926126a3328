#include <algorithm>
#include <span>

#include "gemm/variants/split_k.hpp"

namespace tilewright::detail {

extern const GemmVariant register_blocked;
namespace {

using Config = const Configuration&;
using Problem = const GemmProblem&;
using Profile = const DeviceProfile&;

constexpr std::int64_t warp = 32;  // work-items that run in lockstep

std::int64_t items(Config c) { return c["tile_m"] / c["item_m"] * (c["tile_n"] / c["item_n"]); }

TileGroups tiles_of(Config c, Problem p) {
  return {ceil_div(p.m, c["tile_m"]) * ceil_div(p.n, c["tile_n"]),
          static_cast<std::uint64_t>(c["tile_m"] * c["tile_n"])};
}

Slices slices_of(Config c, Problem p, Profile d) {
  return slices_of_tiles(p, d, tiles_of(c, p), groups_to_fill(d, items(c)), c["slice_k"], c["tile_k"]);
}

// An operand is read in vectors along its rows.
std::int64_t a_width(Config c, Problem p) { return p.trans_a == Transpose::no ? c["vector_k"] : c["vector_m"]; }
std::int64_t b_width(Config c, Problem p) { return p.trans_b == Transpose::no ? c["vector_n"] : c["vector_k"]; }

// A configuration for GPUs by the parameters that differ: steps of k are unrolled, and a sub-tile is a warp's.
struct Blocks {
  std::int64_t tile_m, tile_n, tile_k, item_m, item_n, sub_m;
  std::int64_t vector = 4;

  // These blocks with m and n exchanged.
  Blocks transposed() const {
    Blocks result = *this;
    std::swap(result.tile_m, result.tile_n);
    std::swap(result.item_m, result.item_n);
    result.sub_m = warp / sub_m;
    return result;
  }

  Configuration configuration(std::int64_t slice_k = 0) const {
    return {{"tile_m", tile_m}, {"tile_n", tile_n},      {"tile_k", tile_k},   {"item_m", item_m},
            {"item_n", item_n}, {"vector_m", vector},    {"vector_n", vector}, {"vector_k", vector},
            {"sub_m", sub_m},   {"sub_n", warp / sub_m}, {"pad", vector},      {"buffers", 2},
            {"prefetch", 1},    {"unroll", tile_k},      {"swizzle", 8},       {"slice_k", slice_k}};
  }
};

// Measured on an H200, largest first.
constexpr Blocks f64_blocks[] = {
    {.tile_m = 128, .tile_n = 128, .tile_k = 8, .item_m = 8, .item_n = 8, .sub_m = 16, .vector = 2},
    {.tile_m = 64, .tile_n = 64, .tile_k = 8, .item_m = 8, .item_n = 4, .sub_m = 4, .vector = 2},
    {.tile_m = 32, .tile_n = 32, .tile_k = 8, .item_m = 4, .item_n = 4, .sub_m = 4, .vector = 2},
};
constexpr Blocks f32_blocks[] = {
    {.tile_m = 256, .tile_n = 128, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 16},
    {.tile_m = 128, .tile_n = 128, .tile_k = 8, .item_m = 8, .item_n = 8, .sub_m = 16},
    {.tile_m = 64, .tile_n = 128, .tile_k = 8, .item_m = 8, .item_n = 8, .sub_m = 8},
    {.tile_m = 32, .tile_n = 64, .tile_k = 16, .item_m = 4, .item_n = 4, .sub_m = 2},
    {.tile_m = 32, .tile_n = 32, .tile_k = 16, .item_m = 4, .item_n = 4, .sub_m = 4},
};

// For C with at most this many rows, and many columns.
constexpr Blocks of_16_rows = {.tile_m = 16, .tile_n = 128, .tile_k = 16, .item_m = 8, .item_n = 4, .sub_m = 1};
constexpr Blocks of_32_rows = {.tile_m = 32, .tile_n = 128, .tile_k = 16, .item_m = 8, .item_n = 4, .sub_m = 2};
constexpr Blocks of_64_rows = {.tile_m = 64, .tile_n = 128, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 4};
constexpr Blocks of_64_squared = {.tile_m = 64, .tile_n = 64, .tile_k = 16, .item_m = 8, .item_n = 8, .sub_m = 8};
constexpr Blocks of_128_squared = {.tile_m = 128, .tile_n = 128, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 8};
constexpr Blocks of_128_rows = {.tile_m = 128, .tile_n = 256, .tile_k = 8, .item_m = 16, .item_n = 8, .sub_m = 8};

// One work-item per group, without features that need several work-items to share a tile.
Configuration single_item(std::int64_t tile_m, std::int64_t tile_n, std::int64_t tile_k, std::int64_t vector) {
  return {{"tile_m", tile_m}, {"tile_n", tile_n}, {"tile_k", tile_k},   {"item_m", tile_m},
          {"item_n", tile_n}, {"vector_m", 1},    {"vector_n", vector}, {"vector_k", vector},
          {"sub_m", 1},       {"sub_n", 1},       {"pad", 0},           {"buffers", 1},
          {"prefetch", 0},    {"unroll", 4},      {"swizzle", 1},       {"slice_k", 0}};
}

// No barriers: a group's block of C in vector registers, and the tiles as packed copies.
std::vector<Configuration> cpu_preferences(Problem p, Profile d) {
  const std::int64_t native = native_vector_width(d, accumulator_of(p.type));
  const std::int64_t vector = is_vector_width(native) ? native : 4;
  return {single_item(6, 2 * vector, 64, vector)};
}

// For C with too few tiles for a GPU but a long k: a tile as narrow as C, and k in slices. Measured on an H200.
Configuration skinny_preference(Problem p) {
  constexpr std::int64_t shortest = 256;
  const std::uint64_t narrow = std::min(p.m, p.n), wide = std::max(p.m, p.n);
  const Blocks& blocks = narrow <= 16   ? of_16_rows
                         : narrow <= 32 ? of_32_rows
                         : narrow <= 64 ? (wide <= 64 ? of_64_squared : of_64_rows)
                                        : (wide <= 128 ? of_128_squared : of_128_rows);
  return (p.n < p.m ? blocks.transposed() : blocks).configuration(shortest);
}

bool is_skinny(Problem p) {
  const std::uint64_t narrow = std::min(p.m, p.n), wide = std::max(p.m, p.n);
  return p.k >= 1024 && (narrow <= 128 || (wide <= 256 && p.k >= 8 * wide));
}

// Larger tiles reuse more, as long as nearly every compute unit has a tile. Measured on an H200.
std::vector<Configuration> gpu_preferences(Problem p, Profile d) {
  const double nearly_all = 0.9 * d.compute_units;
  const bool is_f64 = accumulator_of(p.type) == DataType::f64;
  std::vector<Configuration> largest_first;
  for (const Blocks& blocks : is_f64 ? std::span<const Blocks>(f64_blocks) : std::span<const Blocks>(f32_blocks))
    largest_first.push_back(blocks.configuration());
  auto result = shrink_to_fill(register_blocked, p, d, nearly_all, std::move(largest_first));
  if (is_f64) return result;
  if (is_skinny(p)) result.insert(result.begin(), skinny_preference(p));
  return result;
}

}  // namespace

const GemmVariant register_blocked{
    .name = "register_blocked",
    .summary = "a 2-D block of C in registers per work-item, tiles of A and B in local memory",
    .file = "gemm/register_blocked.cl",
    .shared_files = {"gemm/tile_order.cl", "common/last_group.cl", "gemm/split_k.cl", split_k_reduction_file},
    .parameters =
        {
            {"tile_m", {}, "rows of the tile of C", {4, 6, 8, 12, 14, 16, 32, 64, 128, 256}},
            {"tile_n", {}, "columns of the tile of C", {8, 16, 32, 64, 128, 256}},
            {"tile_k", {}, "depth of the tiles of A and B", {4, 8, 16, 32, 64}},
            {"item_m", {}, "rows of one work-item's block", {1, 2, 4, 6, 8, 12, 14, 16}},
            {"item_n", {}, "columns of one work-item's block", {1, 2, 4, 8, 16, 32}},
            {"vector_m", {}, "elements per vector along m", {1, 2, 4, 8, 16}},
            {"vector_n", {}, "elements per vector along n", {1, 2, 4, 8, 16}},
            {"vector_k", {}, "elements per vector along k", {1, 2, 4, 8, 16}},
            {"sub_m", {}, "rows of a sub-tile of consecutive work-items", {1, 2, 4, 8, 16}},
            {"sub_n", {}, "columns of a sub-tile of consecutive work-items", {1, 2, 4, 8, 16, 32}},
            {"pad", {}, "padding elements after each row of a local tile", {0, 2, 4, 8}},
            {"buffers", {}, "local tiles of each operand", {1, 2}},
            {"prefetch", {}, "1: read the next tiles from global memory before using the current ones", {0, 1}},
            {"unroll", {}, "steps of k that are unrolled", {1, 2, 4, 8, 16, 32}},
            {"swizzle", {}, "tile rows per band in the order of work-groups", {1, 2, 4, 8, 16}},
            {"slice_k", {}, "minimum slice if k is split for lack of tiles; 0: never split", {0, 32, 256, 1024}},
        },
    .constraints =
        {
            {"vector_m, vector_n and vector_k are 1, 2, 4, 8 or 16",
             "OpenCL C has no other vectors",
             {"vector_m", "vector_n", "vector_k"},
             [](Config c, Problem, Profile) {
               return is_vector_width(c["vector_m"]) && is_vector_width(c["vector_n"]) &&
                      is_vector_width(c["vector_k"]);
             }},
            {"tile_m is a multiple of item_m, tile_n of item_n",
             "a block does not cross tiles",
             {"tile_m", "tile_n", "item_m", "item_n"},
             [](Config c, Problem, Profile) {
               return c["tile_m"] % c["item_m"] == 0 && c["tile_n"] % c["item_n"] == 0;
             }},
            {"item_m, item_n and tile_k are multiples of vector_m, vector_n and vector_k",
             "vectors do not cross blocks",
             {"tile_k", "item_m", "item_n", "vector_m", "vector_n", "vector_k"},
             [](Config c, Problem, Profile) {
               return c["item_m"] % c["vector_m"] == 0 && c["item_n"] % c["vector_n"] == 0 &&
                      c["tile_k"] % c["vector_k"] == 0;
             }},
            {"pad is a multiple of vector_m and vector_n",
             "rows of local tiles are whole vectors",
             {"vector_m", "vector_n", "pad"},
             [](Config c, Problem, Profile) { return c["pad"] % c["vector_m"] == 0 && c["pad"] % c["vector_n"] == 0; }},
            {"sub_m divides tile_m / item_m, sub_n divides tile_n / item_n",
             "sub-tiles do not cross tiles",
             {"tile_m", "tile_n", "item_m", "item_n", "sub_m", "sub_n"},
             [](Config c, Problem, Profile) {
               return c["tile_m"] / c["item_m"] % c["sub_m"] == 0 && c["tile_n"] / c["item_n"] % c["sub_n"] == 0;
             }},
            {"tile_m tile_k and tile_n tile_k are multiples of a vector times the work-items of a group",
             "every work-item reads the same number of vectors, along either side of the tile",
             {"tile_m", "tile_n", "tile_k", "item_m", "item_n", "vector_m", "vector_n", "vector_k"},
             [](Config c, Problem, Profile) {
               return c["tile_m"] * c["tile_k"] % (std::max(c["vector_m"], c["vector_k"]) * items(c)) == 0 &&
                      c["tile_n"] * c["tile_k"] % (std::max(c["vector_n"], c["vector_k"]) * items(c)) == 0;
             }},
            {"item_m item_n <= 1024",
             "a larger block is spilled to memory",
             {"item_m", "item_n"},
             [](Config c, Problem, Profile) { return c["item_m"] * c["item_n"] <= 1024; }},
            {"buffers is 1 or 2, prefetch 0 or 1",
             "the kernel implements no other values",
             {"buffers", "prefetch"},
             [](Config c, Problem, Profile) { return c["buffers"] <= 2 && c["prefetch"] <= 1; }},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"], c["tile_m"] * c["swizzle"]}, {c["tile_n"]}, {c["tile_k"], c["slice_k"]}};
    },
    .unsupported = always_supported,
    .preferences =
        [](const GemmProblem& p, const DeviceProfile& d) {
          auto result = d.type == DeviceType::cpu ? cpu_preferences(p, d) : gpu_preferences(p, d);
          result.push_back(single_item(4, 4, 4, 1));
          return result;
        },
    .launch_parameters = {"slice_k"},
    .extra_defines =
        [](const Configuration& c, const GemmProblem& p) {
          const auto width = [&](const StoredMatrix& matrix, std::int64_t wanted) {
            return std::to_string(rows_in_vectors(matrix, p.offset_alignment, wanted) ? wanted : 1);
          };
          return " -DREAD_A=" + width(stored_a(p), a_width(c, p)) + " -DREAD_B=" + width(stored_b(p), b_width(c, p)) +
                 " -DSTORE_C=" + std::to_string(c_in_vectors(p, c["vector_n"]) ? c["vector_n"] : 1);
        },
    .local_bytes =
        [](const Configuration& c, const GemmProblem& p) {
          return static_cast<std::uint64_t>(c["buffers"] * c["tile_k"] * (c["tile_m"] + c["tile_n"] + 2 * c["pad"])) *
                 accumulator_bytes(p.type);
        },
    .local_bytes_from = {"tile_m", "tile_n", "tile_k", "pad", "buffers"},
    .private_bytes =
        [](Config c, Problem p, Profile d) {
          std::int64_t elements = c["item_m"] * c["item_n"] + c["item_m"] + c["item_n"];
          // The parts of the tiles that are being moved to local memory, and an index for each read.
          if (c["prefetch"] != 0) elements += 3 * (c["tile_m"] + c["tile_n"]) * c["tile_k"] / items(c);
          return kept_across_barriers(d, items(c), static_cast<std::uint64_t>(elements) * accumulator_bytes(p.type),
                                      c["unroll"]);
        },
    .workspaces = [](Config c, Problem p,
                     Profile d) { return slices_workspaces(p, slices_of(c, p, d), tiles_of(c, p)); },
    .launches = [](Config c, Problem p,
                   Profile d) { return groups_in_slices(p, d, tiles_of(c, p), items(c), slices_of(c, p, d)); },
    .execution_from = {"tile_m", "tile_n", "tile_k", "item_m", "item_n", "slice_k"},
};

}  // namespace tilewright::detail
