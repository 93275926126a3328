#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gemm/variants/split_k.hpp"

namespace tilewright::detail {

extern const GemmVariant tensor_f64;
namespace {

using Config = const Configuration&;
using Problem = const GemmProblem&;
using Profile = const DeviceProfile&;

std::int64_t items(Config c) { return c["tile_m"] / c["warp_m"] * (c["tile_n"] / c["warp_n"]) * 32; }

bool is_power_of_two(std::int64_t value) { return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value)); }

// A configuration by its parts.
struct Tiles {
  std::int64_t tile_m, tile_n, tile_k, warp_m, warp_n, stages;
  std::int64_t slice_k = 0;

  Configuration configuration() const {
    return {{"tile_m", tile_m}, {"tile_n", tile_n}, {"tile_k", tile_k}, {"warp_m", warp_m},
            {"warp_n", warp_n}, {"stages", stages}, {"swizzle", 8},     {"slice_k", slice_k}};
  }
  // With m and n in each other's place.
  Configuration transposed() const {
    Tiles result = *this;
    std::swap(result.tile_m, result.tile_n);
    std::swap(result.warp_m, result.warp_n);
    return result.configuration();
  }
  Configuration either(bool as_it_is) const { return as_it_is ? configuration() : transposed(); }
};

// Measured on an H200. Those for few rows are transposed where there are few columns.
constexpr Tiles large = {.tile_m = 128, .tile_n = 128, .tile_k = 16, .warp_m = 32, .warp_n = 64, .stages = 3};
constexpr Tiles middle = {.tile_m = 64, .tile_n = 128, .tile_k = 16, .warp_m = 32, .warp_n = 32, .stages = 4};
constexpr Tiles small = {.tile_m = 64, .tile_n = 64, .tile_k = 16, .warp_m = 32, .warp_n = 32, .stages = 4};
constexpr Tiles smallest = {.tile_m = 32, .tile_n = 64, .tile_k = 32, .warp_m = 32, .warp_n = 16, .stages = 4};
constexpr Tiles sliced = {
    .tile_m = 64, .tile_n = 128, .tile_k = 32, .warp_m = 32, .warp_n = 32, .stages = 3, .slice_k = 256};
constexpr Tiles of_16_rows = {
    .tile_m = 16, .tile_n = 64, .tile_k = 32, .warp_m = 16, .warp_n = 16, .stages = 4, .slice_k = 256};
constexpr Tiles of_32_rows = {
    .tile_m = 32, .tile_n = 128, .tile_k = 16, .warp_m = 32, .warp_n = 32, .stages = 4, .slice_k = 256};
// Where local memory is what the driver reports.
constexpr Tiles in_little_memory = {
    .tile_m = 64, .tile_n = 64, .tile_k = 16, .warp_m = 32, .warp_n = 32, .stages = 2, .slice_k = 512};

}  // namespace

const GemmVariant tensor_f64{
    .name = "tensor_f64",
    .summary = "double precision on NVIDIA's tensor cores, by inline PTX",
    .file = "gemm/tensor_f64.cl",
    .shared_files = {"common/ptx_memory.cl", "gemm/tile_order.cl", "gemm/split_k.cl", split_k_reduction_file,
                     "gemm/tensor_f64_tiles.cl"},
    .parameters =
        {
            {"tile_m", "rows of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_n", "columns of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_k", "depth of the tiles of A and B", {16, 32, 64}},
            {"warp_m", "rows of one warp's part of the tile", {16, 32, 64}},
            {"warp_n", "columns of one warp's part of the tile", {16, 32, 64}},
            {"stages", "tiles of each operand in local memory", {2, 3, 4, 5, 6}},
            {"swizzle", "tile rows of a band in the order of groups", {1, 4, 8, 16}},
            {"slice_k", "k is split where there are few tiles, into parts no shorter; 0: never", {0, 32, 256, 1024}},
        },
    .strategies = {},
    .constraints =
        {
            {"tile_m, tile_n, tile_k, warp_m and warp_n are powers of two", "chunks are placed by bits of their index",
             [](Config c, Problem, Profile) {
               return is_power_of_two(c["tile_m"]) && is_power_of_two(c["tile_n"]) && is_power_of_two(c["tile_k"]) &&
                      is_power_of_two(c["warp_m"]) && is_power_of_two(c["warp_n"]);
             }},
            {"16 <= warp_m <= tile_m, 16 <= warp_n <= tile_n", "a warp multiplies strips of 16 rows and columns",
             [](Config c, Problem, Profile) {
               return c["warp_m"] >= 16 && c["warp_n"] >= 16 && c["warp_m"] <= c["tile_m"] &&
                      c["warp_n"] <= c["tile_n"];
             }},
            {"warp_m warp_n <= 2048", "64 sums of a work-item fill half of its registers",
             [](Config c, Problem, Profile) { return c["warp_m"] * c["warp_n"] <= 2048; }},
            {"tile_k >= 16", "a tile has an even number of steps of 8",
             [](Config c, Problem, Profile) { return c["tile_k"] >= 16; }},
            {"tile_m tile_k and tile_n tile_k are multiples of two times the work-items of a group",
             "every work-item copies the same number of pairs",
             [](Config c, Problem, Profile) {
               return c["tile_m"] * c["tile_k"] % (2 * items(c)) == 0 &&
                      c["tile_n"] * c["tile_k"] % (2 * items(c)) == 0;
             }},
            {"stages >= 2", "tiles are copied while others are used",
             [](Config c, Problem, Profile) { return c["stages"] >= 2; }},
        },
    .edges = [](const Configuration& c) -> Edges {
      return {{c["tile_m"], c["tile_m"] * c["swizzle"]},
              {c["tile_n"]},
              {c["tile_k"], c["tile_k"] * c["stages"], c["slice_k"]}};
    },
    .types = {DataType::f64},
    .why_no_other_type = "these tensor cores are for double precision only",
    .unsupported = [](Problem, Profile d) -> std::string {
      if (!d.fp64_tensor_cores)
        return "the device has no double precision tensor cores that OpenCL C is known to reach (NVIDIA, sm_90)";
      return {};
    },
    .preferences =
        [](Problem p, Profile d) {
          const bool few_rows = p.m <= p.n;
          // Where chunks are transposed in registers, a warp's part is longer along that operand.
          std::vector<Configuration> rows{large.either(p.trans_a == p.trans_b), middle.configuration()};
          // Slices pay where they are long: else their sums and another launch take more than small tiles lose.
          if (p.k > 1024)
            rows.push_back(sliced.either(few_rows));
          else
            for (const Tiles& tiles : {small, smallest}) rows.push_back(tiles.configuration());
          auto result = shrink_to_fill(tensor_f64, p, d, 0.9 * d.compute_units, std::move(rows));
          if (std::min(p.m, p.n) <= 32)
            result.insert(result.begin(), (std::min(p.m, p.n) <= 16 ? of_16_rows : of_32_rows).either(few_rows));
          result.push_back(in_little_memory.configuration());
          return result;
        },
    .launch_parameters = {"slice_k"},
    .extra_defines =
        [](Config, Problem p) {
          const auto width = [&](const StoredMatrix& matrix) {
            return rows_in_vectors(matrix, p.offset_alignment, 2) ? "2" : "1";
          };
          std::string options = " -DREAD_A=";
          options += width(stored_a(p));
          options += " -DREAD_B=";
          options += width(stored_b(p));
          options += " -DSTORE_C=";
          options += width(stored_c(p));
          return options;
        },
    .local_bytes =
        [](Config c, Problem p) {
          return static_cast<std::uint64_t>(c["stages"] * c["tile_k"] * (c["tile_m"] + c["tile_n"])) *
                 accumulator_bytes(p.type);
        },
    .private_bytes =
        [](Config c, Problem p, Profile) {
          const std::int64_t warp = c["warp_m"] * c["warp_n"] + 16 * (c["warp_m"] + c["warp_n"]);  // sums, two steps
          const std::int64_t copies = (c["tile_m"] + c["tile_n"]) * c["tile_k"] / (2 * items(c));
          return static_cast<std::uint64_t>(warp / 32 + copies) * accumulator_bytes(p.type);
        },
    .needs = Ability::fp64_tensor_cores,
    .static_local_memory = true,
    .workspaces = [](Config c, Problem p,
                     Profile d) { return slices_workspaces(p, slices_of_tiles(c, p, d, items(c))); },
    .launches = [](Config c, Problem p, Profile d) { return tiles_in_slices(c, p, d, items(c)); },
};

}  // namespace tilewright::detail
