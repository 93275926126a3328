#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "gemm/variants/tensor_tiles.hpp"
#include "gemm/variants/warp_tiles.hpp"

namespace tilewright::detail::gemm_variants {
namespace tensor_core_parts {
namespace {

struct Tiles {
  std::int64_t tile_m, tile_n, tile_k = 0, warp_m, warp_n, stages, swizzle = 8, slice_k = shortest_slice, align = 0;
};

using Config = const Tiles&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

std::int64_t items(Config c) { return c.tile_m / c.warp_m * (c.tile_n / c.warp_n) * 32; }

GroupTime time_of(Config t, const TensorProblem& p, const WaveConstants& constants) {
  const WaveConstants::Warps& c = constants.warps;
  const auto tile_m = static_cast<double>(t.tile_m), tile_n = static_cast<double>(t.tile_n);
  const auto warp_m = static_cast<double>(t.warp_m), warp_n = static_cast<double>(t.warp_n);
  const double read = tile_m / warp_m * tile_n / warp_n * (warp_m + warp_n);
  return p.time({.tile_m = t.tile_m,
                 .tile_n = t.tile_n,
                 .step = c.element * tile_m * tile_n + c.read * read + c.line * (tile_m + tile_n),
                 .alone = c.alone + c.alone_element * warp_m * warp_n,
                 .local_bytes = stages_bytes(t, p),
                 .items = items(t),
                 .ahead = (t.stages - 1) * t.tile_k},
                constants);
}

constexpr Tiles candidates[] = {
    {.tile_m = 128, .tile_n = 256, .warp_m = 64, .warp_n = 64, .stages = 3},
    {.tile_m = 128, .tile_n = 128, .warp_m = 64, .warp_n = 64, .stages = 3},
    {.tile_m = 64, .tile_n = 128, .warp_m = 32, .warp_n = 64, .stages = 4},
    {.tile_m = 64, .tile_n = 64, .warp_m = 32, .warp_n = 32, .stages = 4},
    {.tile_m = 32, .tile_n = 128, .warp_m = 32, .warp_n = 32, .stages = 4},
    {.tile_m = 32, .tile_n = 64, .warp_m = 16, .warp_n = 32, .stages = 6},
    {.tile_m = 16, .tile_n = 128, .warp_m = 16, .warp_n = 32, .stages = 6},
    {.tile_m = 16, .tile_n = 64, .warp_m = 16, .warp_n = 16, .stages = 6},
    // Many groups share a compute unit: for short k and small products.
    {.tile_m = 64, .tile_n = 64, .warp_m = 32, .warp_n = 32, .stages = 2},
    {.tile_m = 32, .tile_n = 64, .warp_m = 16, .warp_n = 32, .stages = 2},
    {.tile_m = 32, .tile_n = 32, .warp_m = 16, .warp_n = 32, .stages = 2},
    {.tile_m = 16, .tile_n = 32, .warp_m = 16, .warp_n = 16, .stages = 2},
};
// For devices whose local memory is only as large as the driver reports.
constexpr Tiles in_little_memory = {.tile_m = 64, .tile_n = 64, .warp_m = 32, .warp_n = 32, .stages = 2};

Tiles transposed(Tiles t) {
  std::swap(t.tile_m, t.tile_n);
  std::swap(t.warp_m, t.warp_n);
  return t;
}

// The fastest candidates first, as they are or with rows and columns exchanged.
std::vector<ParameterValues> preferences(Problem p, Profile d) {
  std::vector<Tiles> both;
  both.reserve(2 * std::size(candidates));
  for (Config candidate : candidates) {
    both.push_back(candidate);
    both.push_back(transposed(candidate));
  }
  std::vector<ParameterValues> result = fastest_tiles<Tiles>(both, p, d, false, time_of);
  Tiles small = in_little_memory;
  small.tile_k = TensorProblem{p, 0}.row();
  result.emplace_back(small);
  return result;
}

}  // namespace

constexpr GemmVariant variant{
    .name = "tensor_core",
    .summary = "FP16, bfloat16, TF32 and INT8 on NVIDIA's tensor cores, by inline PTX",
    .program = {.file = "gemm/tensor_core.cl",
                .shared_files = {"common/ptx_memory.cl", "gemm/tile_order.cl", "common/last_group.cl",
                                 "gemm/split_k.cl", split_k_reduction_file, tensor_rows_file, "gemm/store_rows.cl",
                                 "gemm/tensor_core_maps.cl", "gemm/tensor_core_tiles.cl"},
                .launch_parameters = {&Tiles::slice_k, &Tiles::align},
                .extra_defines =
                    [](Config c, Problem p) {
                      return TensorProblem{p, c.align}.options();
                    }},
    .parameters =
        {
            {"tile_m", &Tiles::tile_m, "rows of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_n", &Tiles::tile_n, "columns of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_k", &Tiles::tile_k, "depth of the tiles of A and B", {32, 64, 128}},
            {"warp_m", &Tiles::warp_m, "rows of one warp's part of the tile", {16, 32, 64, 128}},
            {"warp_n", &Tiles::warp_n, "columns of one warp's part of the tile", {16, 32, 64, 128}},
            {"stages", &Tiles::stages, "tiles of each operand in local memory", {2, 3, 4, 5, 6}},
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
            warp_tiles_are_powers_of_two<Tiles>,
            warps_multiply_strips<Tiles>,
            {"warp_m warp_n <= 4096",
             "128 sums fill half of a work-item's registers",
             {&Tiles::warp_m, &Tiles::warp_n},
             [](Config c, Problem, Profile) { return c.warp_m * c.warp_n <= 4096; }},
            {"tile_k elements fill 128 bytes",
             "tiles consist of rows of 128 bytes",
             {&Tiles::tile_k},
             [](Config c, Problem p, Profile) {
               return c.tile_k >= TensorProblem{p, 0}.row();
             }},
            {"tiles are multiples of 16 bytes times the work-items of a group, at least 64",
             "every work-item copies the same number of chunks of 16 bytes, from rows eight apart",
             {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::warp_m, &Tiles::warp_n},
             [](Config c, Problem p, Profile) {
               const auto is_shared = [&](std::int64_t lines) {
                 return TensorProblem{p, 0}.tile_bytes(lines, c.tile_k) % (16 * items(c)) == 0;
               };
               return items(c) >= 64 && is_shared(c.tile_m) && is_shared(c.tile_n);
             }},
            {"align is 0 or 1",
             "align is a switch",
             {&Tiles::align},
             [](Config c, Problem, Profile) { return c.align == 0 || c.align == 1; }},
            {"stages >= 2",
             "one tile is copied while another is used",
             {&Tiles::stages},
             [](Config c, Problem, Profile) { return c.stages >= 2; }},
        },
    .preferences = preferences,
    .edges = [](const Tiles& c) -> Edges {
      return {{c.tile_m, c.tile_m * c.swizzle}, {c.tile_n}, {c.tile_k, c.tile_k * c.stages, c.slice_k}};
    },
    .computes_part = [](const Tiles& c, const CoreProduct& p) { return numbers_tiles(c, p); },
    .needs = {.types = {DataType::f16, DataType::bf16, DataType::f32, DataType::i8, DataType::u8},
              .why_no_other_type = "these tensor cores take 8-bit and 16-bit elements, and f32 with lower accuracy",
              .unsupported = [](Problem p, Profile d) -> std::string {
                if (!d.tensor_cores)
                  return "the device has no tensor cores that OpenCL C is known to reach (NVIDIA, sm_90 and above)";
                if (p.type == DataType::f32 && p.accuracy != Accuracy::tf32)
                  return "f32 needs accuracy tf32: these tensor cores multiply 11-bit significands";
                return {};
              },
              .ability = Ability::tensor_cores},
    .memory = {.local_bytes = [](Config c, Problem p) { return ring_bytes(c, p, c.tile_m / c.warp_m * 16); },
               .local_bytes_from = {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::warp_m, &Tiles::stages},
               .private_bytes =
                   [](Config c, Problem p, Profile) {
                     const std::int64_t warp = c.warp_m * c.warp_n / 32 * 4 + (c.warp_m + c.warp_n) * 2;
                     const std::int64_t copied = TensorProblem{p, 0}.tile_bytes(c.tile_m + c.tile_n, c.tile_k);
                     return static_cast<std::uint64_t>(warp + copied / (16 * items(c)) * 4);
                   },
               .static_local_memory = true},
    .execution =
        [](Config c, Problem p, Profile d) {
          const TensorProblem problem{p, c.align};
          const TileGroups tiles = tile_groups(c, p);
          return problem.execution(d, tiles, items(c),
                                   divide(time_of(c, problem, constants_of(d)), tiles, rules_of_slices(c), p, d));
        },
    .execution_from = {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::warp_m, &Tiles::warp_n, &Tiles::stages,
                       &Tiles::slice_k, &Tiles::align},
};

}  // namespace tensor_core_parts

extern constexpr GemmVariant tensor_core = tensor_core_parts::variant;

}  // namespace tilewright::detail::gemm_variants
