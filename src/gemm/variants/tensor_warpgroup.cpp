#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "gemm/variants/tensor_tiles.hpp"
#include "kernels/build_options.hpp"

namespace tilewright::detail::gemm_variants {
namespace tensor_warpgroup_parts {
namespace {

struct Tiles {
  std::int64_t tile_m, tile_n, tile_k = 0, stages, swizzle = 8, slice_k = shortest_slice, align = 0;
};

using Config = const Tiles&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

// Alignment of the tiles in local memory; the driver reserves this much additional memory.
constexpr std::uint64_t alignment = 1024;

// The problem for a configuration. A box that begins past the last k would fault, so a box must have all of a tile's k.
TensorProblem with_boxes(Config c, Problem p, Profile d) {
  return {p, c.align, d.tensor_maps && c.tile_k == TensorProblem{p, 0}.row()};
}

std::int64_t items(Config c) { return c.tile_m / 64 * 128; }

// Sums in groups, and the copies for them.
GroupTime time_of(Config t, const TensorProblem& p, const WaveConstants& constants) {
  const WaveConstants::Warpgroups& c = constants.warpgroups;
  const auto tile_m = static_cast<double>(t.tile_m), tile_n = static_cast<double>(t.tile_n);
  return p.time({.tile_m = t.tile_m,
                 .tile_n = t.tile_n,
                 .step = c.element * tile_m * tile_n + c.line * (tile_m + tile_n),
                 .alone = c.alone + c.alone_column * tile_n,
                 .local_bytes = stages_bytes(t, p),
                 .items = items(t),
                 .ahead = (t.stages - (p.planes() == 1 && t.stages > 2 ? 2 : 1)) * t.tile_k},
                constants);
}

// The -D option that makes the compiler leave registers for all groups that a compute unit runs at a time. Kernels with
// boxes need so few that it does so anyway.
std::string registers_option(Config c, const TensorProblem& p) {
  const std::int64_t groups = groups_at_once(stages_bytes(c, p), items(c));
  return groups > 1 && !p.by_boxes() ? define("UNIT_GROUPS", groups) : "";
}

// Few stages let a compute unit run several groups at a time, which pays if k is short. Many shapes, so
// that one of them fills the last wave.
constexpr Tiles candidates[] = {
    {.tile_m = 128, .tile_n = 256, .stages = 4}, {.tile_m = 128, .tile_n = 128, .stages = 6},
    {.tile_m = 128, .tile_n = 128, .stages = 3}, {.tile_m = 64, .tile_n = 256, .stages = 5},
    {.tile_m = 192, .tile_n = 192, .stages = 4}, {.tile_m = 128, .tile_n = 192, .stages = 5},
    {.tile_m = 64, .tile_n = 192, .stages = 6},  {.tile_m = 64, .tile_n = 128, .stages = 8},
    {.tile_m = 64, .tile_n = 128, .stages = 4},  {.tile_m = 64, .tile_n = 128, .stages = 3},
    {.tile_m = 64, .tile_n = 64, .stages = 6},   {.tile_m = 64, .tile_n = 128, .stages = 2},
    {.tile_m = 64, .tile_n = 64, .stages = 2},   {.tile_m = 128, .tile_n = 64, .stages = 2},
    {.tile_m = 64, .tile_n = 96, .stages = 8},   {.tile_m = 64, .tile_n = 160, .stages = 6},
    {.tile_m = 64, .tile_n = 224, .stages = 5},  {.tile_m = 128, .tile_n = 96, .stages = 6},
    {.tile_m = 128, .tile_n = 96, .stages = 3},  {.tile_m = 128, .tile_n = 160, .stages = 5},
    {.tile_m = 128, .tile_n = 160, .stages = 2}, {.tile_m = 128, .tile_n = 192, .stages = 2},
    {.tile_m = 128, .tile_n = 224, .stages = 4}, {.tile_m = 192, .tile_n = 96, .stages = 5},
    {.tile_m = 192, .tile_n = 128, .stages = 5}, {.tile_m = 192, .tile_n = 160, .stages = 4},
    {.tile_m = 192, .tile_n = 224, .stages = 4}, {.tile_m = 256, .tile_n = 128, .stages = 4},
    {.tile_m = 256, .tile_n = 160, .stages = 4}, {.tile_m = 192, .tile_n = 256, .stages = 4},
    {.tile_m = 256, .tile_n = 192, .stages = 4}, {.tile_m = 128, .tile_n = 64, .stages = 6},
    {.tile_m = 192, .tile_n = 64, .stages = 5}};
// For elements in parts, whose tiles and sums take twice the memory and registers.
constexpr Tiles candidates_by_parts[] = {{.tile_m = 128, .tile_n = 128, .stages = 3},
                                         {.tile_m = 64, .tile_n = 128, .stages = 4},
                                         {.tile_m = 64, .tile_n = 64, .stages = 6}};

// The fastest candidates first.
std::vector<ParameterValues> preferences(Problem p, Profile d) {
  const bool by_parts = TensorProblem{p, 0}.planes() > 1;
  return fastest_tiles<Tiles>(by_parts ? std::span<const Tiles>(candidates_by_parts) : candidates, p, d, d.tensor_maps,
                              time_of);
}

}  // namespace

constexpr GemmVariant variant{
    .name = "tensor_warpgroup",
    .summary = "FP16, bfloat16, TF32 and INT8 on Hopper's tensor cores, by warpgroups",
    .program = {.file = "gemm/tensor_warpgroup.cl",
                .shared_files = {"common/ptx_memory.cl", "common/ptx_boxes.cl", "common/ptx_warpgroup.cl",
                                 "gemm/tile_order.cl", "common/last_group.cl", "gemm/split_k.cl",
                                 split_k_reduction_file, tensor_rows_file, "gemm/store_rows.cl",
                                 "gemm/tensor_core_maps.cl", "gemm/tensor_core_tiles.cl", "gemm/tensor_boxes.cl"},
                .launch_parameters = {&Tiles::slice_k, &Tiles::align},
                .extra_defines =
                    [](Config c, Problem p) {
                      return TensorProblem{p, c.align}.options();
                    }},
    .parameters =
        {
            {"tile_m", &Tiles::tile_m, "rows of the tile of C", {64, 128, 192, 256}},
            {"tile_n", &Tiles::tile_n, "columns of the tile of C", {64, 96, 128, 160, 192, 224, 256}},
            {"tile_k", &Tiles::tile_k, "depth of the tiles of A and B", {32, 64, 128}},
            {"stages", &Tiles::stages, "tiles of each operand in local memory", {2, 3, 4, 5, 6, 8}},
            {"swizzle", &Tiles::swizzle, "tile rows per band in the order of work-groups", {1, 4, 8, 16}},
            {"slice_k",
             &Tiles::slice_k,
             "minimum slice if k is split for lack of tiles; 0: never split",
             {0, shortest_slice, 256, 1024}},
            {"align",
             &Tiles::align,
             "1: copy operands whose rows are not whole sectors of 32 bytes to rows that are",
             {0, 1}},
        },
    .constraints =
        {
            {"tile_m is a multiple of 64, tile_n one of 32 and at least 64, and both are at most 256",
             "a warpgroup multiplies 64 rows by up to 256 columns, and a box has up to 256 rows",
             {&Tiles::tile_m, &Tiles::tile_n},
             [](Config c, Problem, Profile) {
               return c.tile_m % 64 == 0 && c.tile_m <= 256 && c.tile_n % 32 == 0 && c.tile_n >= 64 && c.tile_n <= 256;
             }},
            {"tile_k is a power of two, and tile_k elements fill 128 bytes",
             "the location of a chunk depends on bits of its index, in rows of 128 bytes",
             {&Tiles::tile_k},
             [](Config c, Problem p, Profile) {
               return is_power_of_two(c.tile_k) && c.tile_k >= TensorProblem{p, 0}.row();
             }},
            {"tile_m tile_n <= 49152, or 24576 for fp32_split",
             "sums fill at most three quarters of a compute unit's registers; fp32_split has twice as many",
             {&Tiles::tile_m, &Tiles::tile_n},
             [](Config c, Problem p, Profile) {
               return c.tile_m * c.tile_n * TensorProblem{p, 0}.planes() <= 192 * 256;
             }},
            {"align is 0 or 1",
             "align is a switch",
             {&Tiles::align},
             [](Config c, Problem, Profile) { return c.align == 0 || c.align == 1; }},
            {"stages >= 2",
             "one tile is copied while another one is multiplied",
             {&Tiles::stages},
             [](Config c, Problem, Profile) { return c.stages >= 2; }},
        },
    .preferences = preferences,
    // Columns of B that are copied but not multiplied; work-items with unequal numbers of chunks.
    .strategies = {{{&Tiles::tile_m, 192}, {&Tiles::tile_n, 96}, {&Tiles::stages, 3}},
                   {{&Tiles::tile_m, 192}, {&Tiles::tile_n, 128}, {&Tiles::stages, 2}}},
    // Boxes have 64 lines.
    .edges = [](const Tiles& c) -> Edges {
      return {{64, c.tile_m, c.tile_m * c.swizzle}, {64, c.tile_n}, {c.tile_k, c.tile_k * c.stages, c.slice_k}};
    },
    .computes_part = [](const Tiles& c, const CoreProduct& p) { return numbers_tiles(c, p); },
    .needs = {.types = {DataType::f16, DataType::bf16, DataType::f32, DataType::i8, DataType::u8},
              .why_no_other_type = "these tensor cores take 8-bit and 16-bit elements, and f32 with lower accuracy",
              .unsupported = [](Problem p, Profile d) -> std::string {
                if (!d.warpgroup_tensor_cores)
                  return "the device has no tensor cores that multiply by warpgroups (NVIDIA, sm_90)";
                if (p.type == DataType::f32 && p.accuracy == Accuracy::full)
                  return "f32 needs accuracy tf32 or fp32_split: these tensor cores multiply 11-bit significands";
                return {};
              },
              .ability = Ability::warpgroup_tensor_cores},
    .memory = {.local_bytes =
                   [](Config c, Problem p) {
                     const auto barriers = 16 * static_cast<std::uint64_t>((c.stages + 1) / 2);  // of 8 bytes
                     return ring_bytes(c, p, c.tile_m) + barriers + alignment;
                   },
               .local_bytes_from = {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::stages},
               .private_bytes =
                   [](Config c, Problem p, Profile) {
                     const TensorProblem problem{p, 0};
                     const std::int64_t copies = stages_bytes(c, problem) / c.stages / (16 * items(c));
                     return static_cast<std::uint64_t>((problem.planes() * c.tile_n / 2 + copies) * 4);
                   },
               .static_local_memory = true},
    .execution =
        [](Config c, Problem p, Profile d) {
          const TensorProblem problem = with_boxes(c, p, d);
          const TileGroups tiles = tile_groups(c, p);
          Execution result = problem.execution(
              d, tiles, items(c), divide(time_of(c, problem, constants_of(d)), tiles, rules_of_slices(c), p, d));
          const auto product = std::ranges::find(result.launches, std::string_view("gemm"), &Launch::kernel);
          product->defines += registers_option(c, problem);
          if (problem.by_boxes()) {
            product->maps = problem.maps(c.tile_m, c.tile_n, c.tile_k);
            product->defines += problem.box_options(c.tile_m, c.tile_n);
            product->arguments.insert(product->arguments.begin(), {argument::map(0), argument::map(1)});
          }
          return result;
        },
    .execution_from = {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::stages, &Tiles::slice_k, &Tiles::align},
};

}  // namespace tensor_warpgroup_parts

extern constexpr GemmVariant tensor_warpgroup = tensor_warpgroup_parts::variant;

}  // namespace tilewright::detail::gemm_variants
