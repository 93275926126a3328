#include <algorithm>
#include <cmath>
#include <span>

#include "gemm/variants/wave_time.hpp"
#include "gemm/variants/wide_operand.hpp"
#include "kernels/build_options.hpp"

namespace tilewright::detail::gemm_variants {
namespace group_reduction_parts {
namespace {

struct Reduction {
  std::int64_t thin = 1, strips = 1, vector = 1, unroll = 1, wg_wide = 1, wg_k = 1, slice_k = 0;
};

using Config = const Reduction&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

std::int64_t items(Config c) { return c.wg_wide * c.wg_k; }

// Elements in 16 bytes, the widest load that every device does at once.
std::int64_t vector_width(Problem p) { return static_cast<std::int64_t>(16 / accumulator_bytes(p.type)); }

// Elements per read of the thin operand.
std::int64_t thin_vector(Config c, Problem p) {
  const std::int64_t width = vector_width(p);
  const std::int64_t run = wide_along_k(p) ? c.vector : c.unroll;
  return thin_along_k(p) && run % width == 0 && rows_in_vectors(thin_operand(p), p.offset_alignment, width) ? width : 1;
}

// Steps of k of the chunks that all work-items of a group read together.
std::int64_t chunk_k(Config c, Problem p) { return c.wg_k * c.unroll * (wide_along_k(p) ? c.vector : 1); }

TileGroups tiles_of(Config c, Problem p) {
  const std::int64_t lines = c.wg_wide * c.strips * (wide_along_k(p) ? 1 : c.vector);
  return {ceil_div(wide_side(p), lines) * ceil_div(thin_side(p), c.thin), static_cast<std::uint64_t>(lines * c.thin)};
}

// Cycles of a work-item for a chunk, fitted to timings on an H200.
struct ItemTime {
  double latency, rolling;  // latency of the reads, and its remaining share if reads are rolling
  double wide, thin;        // per read of the wide and of the thin operand
  double apart;             // added if adjacent work-items' reads of the thin operand are not adjacent
  double multiply_add;
  double start;       // per wave
  double finish = 0;  // of a group, per work-item
};
constexpr ItemTime f32_along_wide{423, 1, 12.1, 5.6, 0, 1.73, 1710}, f32_along_k{317, 0.32, 9.7, 5.9, 1.0, 5.0, 2740};
constexpr ItemTime f64_along_wide{603, 0.38, 0.5, 8.7, 0, 4.4, 812, 1},
    f64_along_k{414, 0.32, 6, 13.7, 3.4, 7.6, 1380, 1};

GroupTime time_of(Config c, Problem p, Profile d) {
  const WaveConstants::Reduction& constants = constants_of(d).reduction;
  const bool along_k = wide_along_k(p), wide_numbers = accumulator_bytes(p.type) == 8;
  const ItemTime& item = along_k        ? (wide_numbers ? f64_along_k : f32_along_k)
                         : wide_numbers ? f64_along_wide
                                        : f32_along_wide;
  const auto read_in = [&](const StoredMatrix& matrix, bool may) {
    return may && rows_in_vectors(matrix, p.offset_alignment, c.vector) ? 1.0 : static_cast<double>(c.vector);
  };
  const auto of = [](std::int64_t count) { return static_cast<double>(count); };
  const double wide_reads = of(c.strips * c.unroll) * read_in(wide_operand(p), true);
  const double thin_elements = of(c.thin * c.unroll * (along_k ? c.vector : 1));
  const double thin_reads = thin_elements / of(c.vector) * read_in(thin_operand(p), thin_along_k(p));
  const double busy = item.wide * wide_reads + item.thin * thin_reads +
                      (along_k && !thin_along_k(p) ? item.apart * thin_elements : 0) +
                      item.multiply_add * of(c.thin * c.strips * c.vector * c.unroll);
  const bool rolls = c.thin == 1 && c.wg_k > 1;
  const double waits = item.latency * (rolls ? item.rolling : 1);
  const auto items = of(c.wg_wide * c.wg_k), chunk = of(chunk_k(c, p));
  const double values = of(c.thin * c.strips * (along_k ? 1 : c.vector) + c.strips * c.vector * c.unroll + 30);
  const double registers = items * values * (wide_numbers ? 2 : 1);
  return {.step = items / 128 * busy / chunk,
          .alone = (busy + waits) / chunk,
          .start = item.start,
          .finish = item.finish * items,
          .at_once = std::clamp(std::floor(std::min(65536 / registers, 2048 / items)), 1.0, 32.0),
          .reads = of(c.wg_wide * c.strips * (along_k ? 1 : c.vector)),
          .read_rate = constants.read_rate,
          .launches = constants.launches};
}

// A factor of this time for the type of the elements; 0: not known.
double factor_of(Config c, Problem p, Profile d) {
  constexpr std::uint64_t few_lines = 4;
  const WaveConstants::Reduction& factors = constants_of(d).reduction;
  if (size_of(p.type) == 2) {
    const bool by_elements = !rows_in_vectors(wide_operand(p), p.offset_alignment, c.vector);
    if (by_elements) return thin_side(p) <= few_lines ? factors.half_by_elements : factors.half;
    return c.vector == 8 && wide_along_k(p) ? factors.half_by_eights : factors.half;
  }
  if (accumulator_of(p.type) != p.type) return 0;
  return size_of(p.type) == 8 ? factors.double_precision : factors.single_precision;
}

DivisionRules rules_of(Config c, Problem p) { return {.step = chunk_k(c, p), .least = c.slice_k}; }

// Whether the model covers a product on a device.
bool is_modelled(Problem p, Profile d) {
  constexpr std::uint64_t max_fitted = 24;  // rows or columns of C
  return has_wave_times(d) && thin_side(p) <= max_fitted;
}

// Slices for products that the model does not cover.
Slices unmodelled_slices(Config c, Problem p, Profile d) {
  const double wanted = d.type == DeviceType::cpu ? 2.0 * d.compute_units : groups_to_fill(d, items(c));
  return slices_of_tiles(p, d, tiles_of(c, p), wanted, c.slice_k, chunk_k(c, p));
}

// Choice without a model, measured on an H200.
Reduction default_reduction(Problem p, std::int64_t thin) {
  const std::int64_t vector = vector_width(p);
  Reduction best{.thin = thin, .vector = vector, .wg_k = 64, .slice_k = 256};
  if (wide_along_k(p)) {
    best.strips = 2;
    best.unroll = thin == 1 || thin == 8 ? 4 : 2;
    best.wg_wide = 4;
  } else {
    best.unroll = 8;
    best.wg_wide = 32 / vector;
    if (thin > 1 && vector != 4) best.wg_k = 32;
  }
  return best;
}

// Shapes of groups and reads that were fastest for some problem on an H200.
constexpr Reduction shape(std::int64_t strips, std::int64_t unroll, std::int64_t wg_wide, std::int64_t wg_k) {
  return {.strips = strips, .unroll = unroll, .wg_wide = wg_wide, .wg_k = wg_k, .slice_k = shortest_slice};
}
constexpr Reduction f32_along_wide_shapes[] = {shape(1, 8, 8, 64), shape(1, 8, 8, 32),  shape(1, 4, 8, 16),
                                               shape(1, 4, 32, 8), shape(1, 8, 16, 16), shape(1, 4, 8, 64)};
constexpr Reduction f64_along_wide_shapes[] = {shape(1, 8, 16, 32), shape(1, 4, 16, 16), shape(1, 4, 32, 8),
                                               shape(1, 2, 32, 4), shape(1, 8, 32, 16)};
constexpr Reduction along_k_shapes[] = {shape(4, 2, 4, 32), shape(2, 1, 8, 16), shape(1, 4, 1, 128), shape(1, 1, 16, 8),
                                        shape(2, 2, 2, 32)};
// For vectors of eight elements of 16 bits.
constexpr Reduction eights_along_k[] = {shape(1, 4, 8, 32)};

// The configurations that the model expects to be fastest.
std::vector<ParameterValues> expected_reductions(Problem p, Profile d, std::int64_t thin) {
  const std::int64_t vector = vector_width(p);
  std::span<const Reduction> shapes = along_k_shapes;
  if (!wide_along_k(p))
    shapes = vector == 4 ? std::span<const Reduction>(f32_along_wide_shapes) : f64_along_wide_shapes;
  std::vector<TimedCandidate> all;
  const auto add = [&](std::span<const Reduction> some, std::int64_t of_vector) {
    for (Reduction c : some)
      for (const std::int64_t lines : {thin, thin / 2}) {
        if (lines == 0) continue;
        c.thin = lines;
        c.vector = of_vector;
        const double factor = factor_of(c, p, d);
        all.push_back({c, time_of(c, p, d), tiles_of(c, p), rules_of(c, p), 0, factor > 0 ? factor : 1});
      }
  };
  add(shapes, vector);
  if (wide_along_k(p) && size_of(p.type) == 2 && rows_in_vectors(wide_operand(p), p.offset_alignment, 8))
    add(eights_along_k, 8);
  return fastest(all, p, d);
}

std::vector<ParameterValues> preferences(Problem p, Profile d) {
  std::int64_t thin = 1;
  while (thin < 8 && static_cast<std::uint64_t>(thin) < thin_side(p)) thin *= 2;
  std::vector<ParameterValues> result;
  if (is_modelled(p, d)) {
    result = expected_reductions(p, d, thin);
  } else if (d.type != DeviceType::cpu) {
    result.emplace_back(default_reduction(p, thin));
  } else if (wide_along_k(p) && thin <= 2) {  // measured with AVX-512
    const std::int64_t half = native_vector_width(d, accumulator_of(p.type)) / 2;
    result.emplace_back(Reduction{.thin = thin,
                                  .strips = 4,
                                  .vector = is_vector_width(half) ? std::max(half, vector_width(p)) : vector_width(p),
                                  .unroll = 2 / thin,
                                  .slice_k = 1024});
  }
  // Configurations that fit every GPU, and every device.
  if (d.type != DeviceType::cpu)
    result.emplace_back(
        Reduction{.thin = thin, .vector = vector_width(p), .unroll = 4, .wg_wide = 8, .wg_k = 8, .slice_k = 256});
  result.emplace_back(Reduction{.thin = std::min<std::int64_t>(thin, 4), .vector = 4, .unroll = 4});
  result.emplace_back(Reduction{});
  return result;
}

}  // namespace

constexpr GemmVariant variant{
    .name = "group_reduction",
    .summary = "for C with few rows or columns: reads the larger operand once, directly into registers",
    .program = {.file = "gemm/group_reduction.cl",
                .shared_files = {"common/last_group.cl", "gemm/split_k.cl", split_k_reduction_file,
                                 "gemm/wide_operand.cl", "gemm/group_reduction_wide.cl", "gemm/group_reduction_thin.cl",
                                 "gemm/group_reduction_chunks.cl"},
                .launch_parameters = {&Reduction::slice_k},
                .extra_defines =
                    [](Config c, Problem p) {
                      const bool vectors = rows_in_vectors(wide_operand(p), p.offset_alignment, c.vector);
                      return wide_define(p) + define("READ_X", vectors ? c.vector : 1) +
                             define("READ_Y", thin_vector(c, p));
                    }},
    .parameters =
        {
            {"thin", &Reduction::thin, "rows (or columns) of C's short side per work-item", {1, 2, 4, 8, 16}},
            {"strips",
             &Reduction::strips,
             "vectors of C's long side per work-item; lines if these run along k",
             {1, 2, 4}},
            {"vector", &Reduction::vector, "elements per vector of the larger operand", {1, 2, 4, 8}},
            {"unroll",
             &Reduction::unroll,
             "vectors of each strip that are read before they are used",
             {1, 2, 4, 8, 16}},
            {"wg_wide", &Reduction::wg_wide, "work-items per group along C's long side", {1, 2, 4, 8, 16, 32}},
            {"wg_k", &Reduction::wg_k, "work-items per group along k", {1, 8, 16, 32, 64, 128}},
            {"slice_k",
             &Reduction::slice_k,
             "minimum slice if k is split for lack of groups; 0: never split",
             {0, shortest_slice, 256, 1024}},
        },
    .constraints =
        {
            {"vector is 1, 2, 4, 8 or 16",
             "OpenCL C has no other vectors",
             {&Reduction::vector},
             [](Config c, Problem, Profile) { return is_vector_width(c.vector); }},
            {"thin strips vector <= 256, strips vector unroll <= 128",
             "more is spilled to memory",
             {&Reduction::thin, &Reduction::strips, &Reduction::vector, &Reduction::unroll},
             [](Config c, Problem, Profile) {
               return c.thin * c.strips * c.vector <= 256 && c.strips * c.vector * c.unroll <= 128;
             }},
            {"thin strips vector unroll <= 512",
             "all of it is unrolled, and more compiles for too long",
             {&Reduction::thin, &Reduction::strips, &Reduction::vector, &Reduction::unroll},
             [](Config c, Problem, Profile) { return c.thin * c.strips * c.vector * c.unroll <= 512; }},
        },
    .preferences = preferences,
    .edges = [](const Reduction& c) -> Edges {
      // Either side may be the thin one; vectors run along the wide side or along k.
      const std::int64_t lines = c.wg_wide * c.strips, along_k = c.wg_k * c.unroll;
      return {.m = {c.thin, c.vector, lines, lines * c.vector},
              .n = {lines * c.vector, lines, c.vector, c.thin},
              .k = {c.vector, c.unroll, along_k, c.wg_k * c.vector, along_k * c.vector, c.slice_k},
              .sharers = c.wg_k};
    },
    .memory = {.local_bytes =
                   [](Config c, Problem p) {
                     constexpr std::int64_t at_once = 2048;  // sums of a group, as in the kernel file
                     const std::int64_t sums =
                         std::min(c.thin * c.strips, std::max<std::int64_t>(1, at_once / items(c)));
                     return static_cast<std::uint64_t>(sums * items(c) * (wide_along_k(p) ? 1 : c.vector)) *
                            accumulator_bytes(p.type);
                   },
               .private_bytes =
                   [](Config c, Problem p, Profile) {
                     const std::int64_t sums = c.thin * c.strips * (wide_along_k(p) ? 1 : c.vector);
                     const std::int64_t wide = c.strips * c.vector * c.unroll;
                     return static_cast<std::uint64_t>(sums + wide + std::max(c.vector, c.unroll)) *
                            accumulator_bytes(p.type);
                   }},
    .execution =
        [](Config c, Problem p, Profile d) {
          const TileGroups tiles = tiles_of(c, p);
          if (!is_modelled(p, d)) return in_slices(p, d, tiles, items(c), unmodelled_slices(c, p, d));
          Execution execution = in_slices(p, d, tiles, items(c), divide(time_of(c, p, d), tiles, rules_of(c, p), p, d));
          execution.cycles *= factor_of(c, p, d);
          return execution;
        },
};

}  // namespace group_reduction_parts

extern constexpr GemmVariant group_reduction = group_reduction_parts::variant;

}  // namespace tilewright::detail::gemm_variants
