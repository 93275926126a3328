#include <algorithm>
#include <bit>

#include "gemm/variants/split_k.hpp"
#include "gemm/variants/wide_operand.hpp"

namespace tilewright::detail::gemm_variants {
namespace column_walk_parts {
namespace {

struct Walk {
  std::int64_t thin, vector, unroll, block, slice_k;
};

using Config = const Walk&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

// How C, and k if C is small, is divided among work-groups.
struct Division {
  std::uint64_t block;
  TileGroups tiles;
  Slices slices;
};

// A few pieces of C per compute unit, so that none waits long for the last one. Pieces are not so short that rows are
// read in scraps, nor so small that starting a group dominates. k is split if there are too few pieces.
Division divide(Config c, Problem p, Profile d) {
  constexpr double groups_per_unit = 4, min_work = 1e5;  // multiply-adds
  constexpr double shortest = 16384;                     // bytes of a row
  const double work = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  const auto products = static_cast<double>(products_of(p)), wide = static_cast<double>(wide_side(p));
  const double wanted = std::max(products, std::min(groups_per_unit * d.compute_units, products * work / min_work));
  const std::uint64_t thin_tiles = std::max<std::uint64_t>(1, ceil_div(thin_side(p), c.thin));
  const double most = std::max(1.0, wide * static_cast<double>(size_of(p.type)) / shortest);
  const double blocks = std::clamp(wanted / (products * static_cast<double>(thin_tiles)), 1.0, most);
  const auto even = static_cast<std::uint64_t>(std::max(1.0, wide / blocks));
  const std::uint64_t block = std::min(rounded_up(even, c.vector), static_cast<std::uint64_t>(c.block));
  const std::uint64_t tiles = thin_tiles * std::max<std::uint64_t>(1, (wide_side(p) + block - 1) / block);
  Division result{block, {tiles, 0}, {1, static_cast<std::int64_t>(std::max<std::uint64_t>(1, p.k))}};
  if (d.type == DeviceType::cpu) result.slices = split_k(p, tiles, wanted, c.slice_k, c.unroll);
  return result;
}

// Four or eight rows at a time, whose numbers stay in registers, and a group's sums in half of a first-level cache of
// 32 KB, or in all of it. Up to eight lines are computed in one pass over the larger operand. If that comes from
// memory, long pieces of its rows matter more than where the sums of eight lines are. Measured on PoCL with AVX-512.
Walk preferred(Problem p, Profile d) {
  const std::int64_t native = native_vector_width(d, accumulator_of(p.type));
  std::int64_t vector = is_vector_width(native) && native >= 4 ? native : 4;
  while (vector > 1 && static_cast<std::uint64_t>(vector) > wide_side(p)) vector /= 2;
  const auto lines = static_cast<std::int64_t>(std::bit_ceil(std::max<std::uint64_t>(1, thin_side(p))));
  const std::int64_t thin = lines <= 8 ? lines : 4;
  const bool eight_from_cache = thin == 8 && !comes_from_memory(wide_operand(p), p.type, d);
  const std::int64_t otherwise = thin == 8 && p.k < 1024 ? 4096 : thin == 4 ? 8192 : p.k <= 64 ? 32768 : 16384;
  const std::int64_t bytes = eight_from_cache ? 2048 : otherwise;
  return {.thin = thin,
          .vector = vector,
          .unroll = eight_from_cache ? 4 : 8,
          .block = bytes / static_cast<std::int64_t>(accumulator_bytes(p.type)),
          .slice_k = 64};
}

}  // namespace

constexpr GemmVariant variant{
    .name = "column_walk",
    .summary = "for C with few rows or columns: adds several rows of the larger operand at a time; for CPUs",
    .program = {.file = "gemm/column_walk.cl",
                .shared_files = {"gemm/split_k.cl", split_k_reduction_file, "gemm/wide_operand.cl"},
                .launch_parameters = {&Walk::slice_k},
                .extra_defines = [](Config, Problem p) { return wide_define(p); }},
    .parameters =
        {
            {"thin", &Walk::thin, "rows (or columns) of C's short side per work-group", {1, 2, 4, 8}},
            {"vector", &Walk::vector, "elements per vector of the larger operand", {2, 4, 8, 16}},
            {"unroll", &Walk::unroll, "rows of the larger operand that are read in parallel", {4, 8, 16}},
            {"block",
             &Walk::block,
             "maximum elements of C's long side per work-group",
             {128, 256, 512, 1024, 2048, 4096, 8192}},
            {"slice_k", &Walk::slice_k, "minimum slice if k is split for lack of work-groups", {16, 64, 256}},
        },
    .constraints =
        {
            {"vector is 1, 2, 4, 8 or 16",
             "OpenCL C has no other vectors",
             {&Walk::vector},
             [](Config c, Problem, Profile) { return is_vector_width(c.vector); }},
            {"block is a multiple of vector",
             "a work-group's sums are whole vectors",
             {&Walk::block, &Walk::vector},
             [](Config c, Problem, Profile) { return c.block % c.vector == 0; }},
            {"thin unroll <= 64",
             "more elements of the smaller operand do not fit into registers",
             {&Walk::thin, &Walk::unroll},
             [](Config c, Problem, Profile) { return c.thin * c.unroll <= 64; }},
        },
    .preferences = [](Problem p, Profile d) -> std::vector<ParameterValues> {
      const Walk best = preferred(p, d);
      return {best, Walk{.thin = 1, .vector = 2, .unroll = 4, .block = 128, .slice_k = best.slice_k}};
    },
    .strategies = {{{&Walk::thin, 8}, {&Walk::block, 512}}},
    .edges = [](const Walk& c) -> Edges {
      // Either side may be the thin one.
      return {{c.thin, c.vector, c.block}, {c.block, c.vector, c.thin}, {c.unroll, c.slice_k}};
    },
    .memory = {.private_bytes =
                   [](Config c, Problem p, Profile) {
                     const std::int64_t read = c.unroll * (c.thin + c.vector);
                     return static_cast<std::uint64_t>(c.thin * c.block + read) * accumulator_bytes(p.type);
                   }},
    .execution =
        [](Config c, Problem p, Profile d) {
          const Division division = divide(c, p, d);
          Execution execution = in_slices(p, d, division.tiles, 1, division.slices);
          Launch& product = execution.launches.front();
          product.work_per_group = static_cast<double>(c.thin) * static_cast<double>(division.block) *
                                   static_cast<double>(division.slices.length);
          product.arguments.push_back(argument::index(division.block));
          return execution;
        },
};

}  // namespace column_walk_parts

extern constexpr GemmVariant column_walk = column_walk_parts::variant;

}  // namespace tilewright::detail::gemm_variants
