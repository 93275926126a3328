#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "gemm/variants/tensor_tiles.hpp"

namespace tilewright::detail {

extern const GemmVariant tensor_warpgroup;
namespace {

using Config = const Configuration&;
using Problem = const GemmProblem&;
using Profile = const DeviceProfile&;

// Alignment of the tiles in local memory; the driver reserves this much additional memory.
constexpr std::uint64_t alignment = 1024;

std::int64_t items(Config c) { return c["tile_m"] / 64 * 128; }

// A configuration by its parts.
struct Tiles {
  std::int64_t tile_m, tile_n, tile_k, stages;

  Configuration configuration(std::int64_t align) const {
    return {{"tile_m", tile_m}, {"tile_n", tile_n},          {"tile_k", tile_k}, {"stages", stages},
            {"swizzle", 8},     {"slice_k", shortest_slice}, {"align", align}};
  }
};
Tiles tiles_of(Config c) { return {c["tile_m"], c["tile_n"], c["tile_k"], c["stages"]}; }

// Fitted to timings on an H200: sums in groups, and the copies for them.
GroupTime time_of(const Tiles& t, const TensorProblem& p) {
  const auto tile_m = static_cast<double>(t.tile_m), tile_n = static_cast<double>(t.tile_n);
  return p.time({.tile_m = tile_m,
                 .tile_n = tile_n,
                 .step = 3.95e-4 * tile_m * tile_n + 0.02 * (tile_m + tile_n),
                 .alone = 4 + 0.0234 * tile_n,
                 .local_bytes = static_cast<double>(t.stages * p.tile_bytes(t.tile_m + t.tile_n, t.tile_k))});
}

TileGroups groups_of(const Tiles& t, Problem p) {
  return {ceil_div(p.m, t.tile_m) * ceil_div(p.n, t.tile_n), static_cast<std::uint64_t>(t.tile_m * t.tile_n)};
}

// Includes the copies of operands.
Division divide(const Tiles& t, std::int64_t slice_k, const TensorProblem& p, Profile d) {
  Division division =
      divide(time_of(t, p), groups_of(t, p.problem),
             {.step = t.tile_k, .least = slice_k, .whole = WholeTiles::where_groups_add_slices}, p.problem, d);
  division.cycles += p.copying_cycles(d);
  return division;
}
Division divide(Config c, Problem p, Profile d) { return divide(tiles_of(c), c["slice_k"], {p, c["align"]}, d); }

Slices slices_of(Config c, Problem p, Profile d) { return divide(c, p, d).to_slices(); }

// Tiles whose depth is one row of 128 bytes.
struct Candidate {
  std::int64_t tile_m, tile_n, stages;
};
constexpr Candidate candidates[] = {{128, 256, 4}, {128, 128, 6}, {64, 256, 5},
                                    {64, 128, 8},  {64, 128, 4},  {64, 64, 6}};
// For elements in parts, whose tiles and sums take twice the memory and registers.
constexpr Candidate candidates_by_parts[] = {{128, 128, 3}, {64, 128, 4}, {64, 64, 6}};

// The fastest candidates first.
std::vector<Configuration> preferences(Problem p, Profile d) {
  std::vector<RankedConfiguration> ranked;
  const TensorProblem whole{p, 0};
  for (const auto& [tile_m, tile_n, stages] :
       whole.planes() > 1 ? std::span<const Candidate>(candidates_by_parts) : std::span<const Candidate>(candidates)) {
    const Tiles tiles{tile_m, tile_n, whole.row(), stages};
    for (std::int64_t align = 0; align <= (has_aligned_rows(p) ? 0 : 1); ++align)
      ranked.push_back({divide(tiles, shortest_slice, {p, align}, d).cycles, tiles.configuration(align)});
  }
  return fastest(std::move(ranked));
}

}  // namespace

const GemmVariant tensor_warpgroup{
    .name = "tensor_warpgroup",
    .summary = "FP16, bfloat16, TF32 and INT8 on Hopper's tensor cores, by warpgroups",
    .file = "gemm/tensor_warpgroup.cl",
    .shared_files = {"common/ptx_memory.cl", "common/ptx_warpgroup.cl", "gemm/tile_order.cl", "common/last_group.cl",
                     "gemm/split_k.cl", split_k_reduction_file, tensor_rows_file, "gemm/store_rows.cl",
                     "gemm/tensor_core_maps.cl", "gemm/tensor_core_tiles.cl"},
    .parameters =
        {
            {"tile_m", {}, "rows of the tile of C", {64, 128, 256}},
            {"tile_n", {}, "columns of the tile of C", {64, 128, 256}},
            {"tile_k", {}, "depth of the tiles of A and B", {32, 64, 128}},
            {"stages", {}, "tiles of each operand in local memory", {3, 4, 5, 6, 8}},
            {"swizzle", {}, "tile rows per band in the order of work-groups", {1, 4, 8, 16}},
            {"slice_k",
             {},
             "minimum slice if k is split for lack of tiles; 0: never split",
             {0, shortest_slice, 256, 1024}},
            {"align", {}, "1: copy operands whose rows are not whole vectors to rows that are", {0, 1}},
        },
    .constraints =
        {
            {"tile_m >= 64, and tile_n is 64, 128 or 256",
             "a warpgroup multiplies 64 rows by 64, 128 or 256 columns",
             {"tile_m", "tile_n"},
             [](Config c, Problem, Profile) {
               return c["tile_m"] >= 64 && (c["tile_n"] == 64 || c["tile_n"] == 128 || c["tile_n"] == 256);
             }},
            {"tile_m and tile_k are powers of two, and tile_k elements fill 128 bytes",
             "the location of a chunk depends on bits of its index, in rows of 128 bytes",
             {"tile_m", "tile_k"},
             [](Config c, Problem p, Profile) {
               return is_power_of_two(c["tile_m"]) && is_power_of_two(c["tile_k"]) &&
                      c["tile_k"] >= TensorProblem{p, 0}.row();
             }},
            {"a tile of B is a multiple of 16 bytes times the work-items of a group",
             "every work-item copies the same number of chunks of 16 bytes",
             {"tile_m", "tile_n", "tile_k"},
             [](Config c, Problem p, Profile) {
               return TensorProblem{p, 0}.tile_bytes(c["tile_n"], c["tile_k"]) % (16 * items(c)) == 0;
             }},
            {"tile_m tile_n <= 32768, or 16384 for fp32_split",
             "sums fill half of a compute unit's registers; fp32_split has twice as many",
             {"tile_m", "tile_n"},
             [](Config c, Problem p, Profile) {
               return c["tile_m"] * c["tile_n"] * TensorProblem{p, 0}.planes() <= 128 * 256;
             }},
            {"align is 0 or 1",
             "align is a switch",
             {"align"},
             [](Config c, Problem, Profile) { return c["align"] == 0 || c["align"] == 1; }},
            {"stages >= 3",
             "one tile is copied while two are multiplied",
             {"stages"},
             [](Config c, Problem, Profile) { return c["stages"] >= 3; }},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"], c["tile_m"] * c["swizzle"]},
              {c["tile_n"]},
              {c["tile_k"], c["tile_k"] * c["stages"], c["slice_k"]}};
    },
    .types = {DataType::f16, DataType::bf16, DataType::f32, DataType::i8, DataType::u8},
    .why_no_other_type = "these tensor cores take 8-bit and 16-bit elements, and f32 with lower accuracy",
    .unsupported = [](Problem p, Profile d) -> std::string {
      if (!d.warpgroup_tensor_cores)
        return "the device has no tensor cores that multiply by warpgroups (NVIDIA, sm_90)";
      if (p.type == DataType::f32 && p.accuracy == Accuracy::full)
        return "f32 needs accuracy tf32 or fp32_split: these tensor cores multiply 11-bit significands";
      return {};
    },
    .preferences = preferences,
    .expected_cycles = [](Config c, Problem p, Profile d) { return divide(c, p, d).cycles; },
    .launch_parameters = {"slice_k", "align"},
    .extra_defines =
        [](Config c, Problem p) {
          return TensorProblem{p, c["align"]}.options();
        },
    .local_bytes = [](Config c, Problem p) { return ring_bytes(c, p, c["tile_m"]) + alignment; },
    .local_bytes_from = {"tile_m", "tile_n", "tile_k", "stages"},
    .private_bytes =
        [](Config c, Problem p, Profile) {
          const TensorProblem problem{p, 0};
          const std::int64_t copies = problem.tile_bytes(c["tile_m"] + c["tile_n"], c["tile_k"]) / (16 * items(c));
          return static_cast<std::uint64_t>((problem.planes() * c["tile_n"] / 2 + copies) * 4);
        },
    .needs = Ability::warpgroup_tensor_cores,
    .static_local_memory = true,
    .workspaces =
        [](Config c, Problem p, Profile d) {
          return TensorProblem{p, c["align"]}.workspaces(slices_of(c, p, d), groups_of(tiles_of(c), p));
        },
    .launches =
        [](Config c, Problem p, Profile d) {
          return TensorProblem{p, c["align"]}.launches(d, groups_of(tiles_of(c), p), items(c), slices_of(c, p, d));
        },
    .execution_from = {"tile_m", "tile_n", "tile_k", "stages", "slice_k", "align"},
};

}  // namespace tilewright::detail
