#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

#include "gemm/variants/warp_tiles.hpp"
#include "gemm/variants/wave_time.hpp"
#include "kernels/build_options.hpp"

namespace tilewright::detail::gemm_variants {
namespace tensor_f64_parts {
namespace {

struct Tiles {
  std::int64_t tile_m, tile_n, tile_k, warp_m, warp_n, stages, swizzle = 8, slice_k = shortest_slice;

  constexpr Tiles transposed() const { return {tile_n, tile_m, tile_k, warp_n, warp_m, stages, swizzle, slice_k}; }
};

using Config = const Tiles&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

std::int64_t items(Config c) { return c.tile_m / c.warp_m * (c.tile_n / c.warp_n) * 32; }

// Complex operands are read as they are stored if every work-item copies as many elements of B.
ComplexForm complex_form_of(Config c) {
  return c.tile_n * c.tile_k % (4 * items(c)) == 0 ? ComplexForm::reals : ComplexForm::prepared;
}

// Whether the parameters that determine the time of a work-group are equal.
bool take_equal_time(Config x, Config y) {
  return x.tile_m == y.tile_m && x.tile_n == y.tile_n && x.tile_k == y.tile_k && x.warp_m == y.warp_m &&
         x.warp_n == y.warp_n && x.stages == y.stages;
}

// Configurations and the time of their work-groups if local memory is read in chunks, fitted to timings on an H200.
struct Candidate {
  Tiles tiles;
  GroupTime time;
};
constexpr Candidate candidates[] = {
    // tile_m, tile_n, tile_k, warp_m, warp_n, stages   cycles of a step, alone; of start, finish; at once
    {{128, 128, 16, 32, 64, 3}, {109.6, 120.0, 7606, 6349, 1}}, {{64, 128, 16, 32, 64, 3}, {60.4, 79.1, 3184, 4702, 2}},
    {{64, 128, 16, 32, 32, 3}, {67.3, 67.3, 4387, 3456, 1}},    {{32, 128, 16, 32, 32, 4}, {41.6, 56.2, 212, 4996, 2}},
    {{32, 128, 32, 32, 32, 3}, {34.3, 38.6, 6101, 2607, 1}},    {{64, 64, 16, 32, 32, 4}, {44.4, 42.4, 7554, 1502, 3}},
    {{32, 64, 32, 32, 16, 4}, {32.9, 36.5, 565, 2605, 2}},      {{16, 64, 32, 16, 16, 4}, {20.9, 16.1, 1968, 1401, 2}},
    {{32, 32, 32, 16, 16, 4}, {19.6, 16.9, 129, 2501, 3}},      {{16, 32, 64, 16, 16, 3}, {11.7, 14.8, 1733, 3036, 2}},
};
// For devices whose local memory is only as large as the driver reports.
constexpr Tiles in_little_memory = {.tile_m = 64, .tile_n = 64, .tile_k = 16, .warp_m = 32, .warp_n = 32, .stages = 2};

// Estimate for tiles without measured data: warps multiply, or wait for each other's reads of local memory.
GroupTime estimated_time(Config t) {
  const auto tile_m = static_cast<double>(t.tile_m), tile_n = static_cast<double>(t.tile_n);
  const auto warp_m = static_cast<double>(t.warp_m), warp_n = static_cast<double>(t.warp_n);
  const double multiply = tile_m * tile_n / 128, part = warp_m * warp_n / 32;
  const double read = tile_m / warp_m * tile_n / warp_n * (warp_m + warp_n) / 16;
  return {.step = std::max(1.09 * multiply, 0.23 * multiply + 1.98 * read),
          .alone = 6.8 + 1.19 * part,
          .start = 600 + 40 * part,
          .finish = 800 + 0.4 * tile_m * tile_n};
}

// Whether local memory is read in chunks: CHUNKS in the kernel file, or of complex elements.
bool read_by_chunks(Problem p) {
  if (p.complex) return true;
  return p.trans_a == Transpose::no && p.trans_b == Transpose::no &&
         rows_in_vectors(stored_a(p), p.offset_alignment, 2) && rows_in_vectors(stored_b(p), p.offset_alignment, 2);
}

// Additional time per step of k of a line in a warp's part, compared with both operands read in chunks.
struct LineTime {
  double step, alone;
};
LineTime time_of_line(bool along_k, bool in_vectors) {
  if (along_k) return in_vectors ? LineTime{0.0089, 0.039} : LineTime{0.0157, 0.115};
  return in_vectors ? LineTime{0.0018, 0.038} : LineTime{0.0109, 0.045};
}

// `time` of tiles plus the cost of the problem's operands.
GroupTime time_with(GroupTime time, Config t, Problem p, Profile d) {
  const WaveConstants::Table& c = constants_of(d).tensor_f64;
  time = scaled(time, c.factors);
  const bool by_chunks = read_by_chunks(p);
  // An operand of `size` lines: a tile has `lines` of them, and each of `warps` warps reads `warp_lines`.
  const auto add = [&](bool along_k, bool in_vectors, std::uint64_t size, std::int64_t lines, std::int64_t warp_lines,
                       std::int64_t warps) {
    if (!by_chunks) {
      const LineTime line = time_of_line(along_k, in_vectors);
      time.step += line.step * static_cast<double>(lines * warps);
      time.alone += line.alone * static_cast<double>(warp_lines);
    }
    // A row that may begin within a chunk of two elements takes one chunk more.
    if (!in_vectors) time.step += 0.943 * (along_k ? static_cast<double>(lines) / static_cast<double>(t.tile_k) : 1.0);
    // Copies for lines past the edge read few different lines (line_past_edge() in tile_order.cl).
    const std::uint64_t copied = std::bit_floor(std::max<std::uint64_t>(1, size));
    if (copied < 8 && size < static_cast<std::uint64_t>(lines)) {
      const double copies = static_cast<double>(lines) / static_cast<double>(copied) - 1;
      time.step += (copied == 1 ? 0.85 : 0.080) * copies;
      time.alone += (copied == 1 ? 0.305 : 0.080) * copies;
    }
  };
  add(p.trans_a == Transpose::no, rows_in_vectors(stored_a(p), p.offset_alignment, 2), p.m, t.tile_m, t.warp_m,
      t.tile_n / t.warp_n);
  add(p.trans_b == Transpose::yes, rows_in_vectors(stored_b(p), p.offset_alignment, 2), p.n, t.tile_n, t.warp_n,
      t.tile_m / t.warp_m);
  // Warps store nothing if their part of the tile is past the edge of a small C.
  const auto share_inside = [](std::uint64_t size, std::int64_t lines, std::int64_t warp_lines) {
    return std::min(1.0, static_cast<double>(rounded_up(size, warp_lines)) / static_cast<double>(lines));
  };
  time.finish *= share_inside(p.m, t.tile_m, t.warp_m) * share_inside(p.n, t.tile_n, t.warp_n);
  time.reads = static_cast<double>(t.tile_m + t.tile_n);
  time.read_rate = c.read_rate;
  time.launches = c.launches;
  return time;
}

GroupTime time_of(Config t, Problem p, Profile d) {
  for (const auto& [tiles, time] : candidates)
    if (take_equal_time(tiles, t) || take_equal_time(tiles.transposed(), t)) return time_with(time, t, p, d);
  return time_with(estimated_time(t), t, p, d);
}

// The fastest candidates, as they are or with rows and columns exchanged.
std::vector<ParameterValues> preferences(Problem p, Profile d) {
  std::vector<TimedCandidate> all;
  all.reserve(2 * std::size(candidates));
  for (const auto& [tiles, time] : candidates) {
    const auto add = [&, &given = time](Config t) {
      if (suits_range(t, p)) all.push_back({t, time_with(given, t, p, d), tile_groups(t, p), rules_of_slices(t)});
    };
    const Tiles other = tiles.transposed();
    add(tiles);
    if (!take_equal_time(other, tiles)) add(other);
  }
  std::vector<ParameterValues> result = fastest(all, p, d);
  result.emplace_back(in_little_memory);
  return result;
}

}  // namespace

constexpr GemmVariant variant{
    .name = "tensor_f64",
    .summary = "double precision on NVIDIA's tensor cores, by inline PTX",
    .program = {.file = "gemm/tensor_f64.cl",
                .shared_files = {"common/ptx_memory.cl", "gemm/tile_order.cl", "gemm/k_range.cl",
                                 "common/last_group.cl", "gemm/split_k.cl", split_k_reduction_file,
                                 "gemm/store_rows.cl", "gemm/tensor_f64_tiles.cl", "gemm/tensor_f64_complex.cl",
                                 "gemm/tensor_f64_stages.cl", "gemm/tensor_f64_store.cl",
                                 "gemm/tensor_f64_triangle.cl"},
                .launch_parameters = {&Tiles::slice_k},
                .extra_defines =
                    [](Config, Problem p) {
                      // LAYOUT_A and LAYOUT_B of cl/gemm/tensor_f64_stages.cl.
                      const auto layout = [&](bool along_k, const StoredMatrix& matrix) {
                        const bool in_vectors = p.complex || rows_in_vectors(matrix, p.offset_alignment, 2);
                        return (along_k ? 0 : 2) + (in_vectors ? 0 : 1);
                      };
                      return define("LAYOUT_A", layout(p.trans_a == Transpose::no, stored_a(p))) +
                             define("LAYOUT_B", layout(p.trans_b == Transpose::yes, stored_b(p))) +
                             define("STORE_C", c_in_vectors(p, 2) ? 2 : 1);
                    }},
    .parameters =
        {
            {"tile_m", &Tiles::tile_m, "rows of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_n", &Tiles::tile_n, "columns of the tile of C", {16, 32, 64, 128, 256}},
            {"tile_k", &Tiles::tile_k, "depth of the tiles of A and B", {16, 32, 64}},
            {"warp_m", &Tiles::warp_m, "rows of one warp's part of the tile", {16, 32, 64}},
            {"warp_n", &Tiles::warp_n, "columns of one warp's part of the tile", {16, 32, 64}},
            {"stages", &Tiles::stages, "tiles of each operand in local memory", {2, 3, 4, 5, 6}},
            {"swizzle", &Tiles::swizzle, "tile rows per band in the order of work-groups", {1, 4, 8, 16}},
            {"slice_k",
             &Tiles::slice_k,
             "minimum slice if k is split for lack of tiles; 0: never split",
             {0, shortest_slice, 256, 1024}},
        },
    .constraints =
        {
            warp_tiles_are_powers_of_two<Tiles>,
            warps_multiply_strips<Tiles>,
            {"warp_m warp_n <= 2048",
             "64 sums fill half of a work-item's registers",
             {&Tiles::warp_m, &Tiles::warp_n},
             [](Config c, Problem, Profile) { return c.warp_m * c.warp_n <= 2048; }},
            {"tile_k >= 16",
             "a tile has an even number of steps of 8",
             {&Tiles::tile_k},
             [](Config c, Problem, Profile) { return c.tile_k >= 16; }},
            {"tile_m tile_k and tile_n tile_k are multiples of two times the work-items of a group",
             "every work-item copies the same number of pairs",
             {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::warp_m, &Tiles::warp_n},
             [](Config c, Problem, Profile) {
               return c.tile_m * c.tile_k % (2 * items(c)) == 0 && c.tile_n * c.tile_k % (2 * items(c)) == 0;
             }},
            {"stages >= 2",
             "one tile is copied while another is used",
             {&Tiles::stages},
             [](Config c, Problem, Profile) { return c.stages >= 2; }},
        },
    .preferences = preferences,
    .edges = [](const Tiles& c) -> Edges {
      return {{c.tile_m, c.tile_m * c.swizzle}, {c.tile_n}, {c.tile_k, c.tile_k * c.stages, c.slice_k}};
    },
    .computes_part =
        [](Config c, Problem p) {
          if (!p.k_range) return numbers_tiles(c, p);
          // Prepared reals of complex elements have no triangle.
          const bool has_elements = p.k_range->parts == 1 || complex_form_of(c) == ComplexForm::reals;
          return suits_range(c, p) && (has_elements || !p.k_range->is_triangle);
        },
    .complex_form = [](Config c) { return complex_form_of(c); },
    .needs =
        {.types = {DataType::f64},
         .why_no_other_type = "these tensor cores are for double precision only",
         .unsupported = [](Problem, Profile d) -> std::string {
           if (!d.fp64_tensor_cores)
             return "the device has no double precision tensor cores that OpenCL C is known to reach (NVIDIA, sm_90)";
           return {};
         },
         .ability = Ability::fp64_tensor_cores},
    .memory = {.local_bytes =
                   [](Config c, Problem p) {
                     const bool a_along_k = p.trans_a == Transpose::no, b_along_k = p.trans_b == Transpose::yes;
                     const bool by_chunks = read_by_chunks(p);
                     // A_ROWS * A_STRIDE and B_ROWS * B_STRIDE in tensor_f64_stages.cl
                     const auto stored = [&](bool along_k, std::int64_t lines) {
                       return along_k ? lines * (c.tile_k + (by_chunks ? 4 : 2))
                                      : c.tile_k * (lines + (by_chunks ? 2 : 4));
                     };
                     std::int64_t tiles = stored(a_along_k, c.tile_m) + stored(b_along_k, c.tile_n);
                     if (p.complex)
                       tiles = (a_along_k ? c.tile_m * (c.tile_k + 4) : c.tile_k * (c.tile_m + 1)) +
                               (b_along_k ? c.tile_n / 2 * (c.tile_k + 8) : c.tile_k / 2 * (c.tile_n + 4));
                     const std::int64_t ring = c.stages * tiles;
                     const std::int64_t staged = c.tile_m / c.warp_m * 16 * (c.tile_n + 2);  // a strip of C
                     const bool is_staged = !c_in_vectors(p, 2);
                     return static_cast<std::uint64_t>(is_staged ? std::max(ring, staged) : ring) *
                            accumulator_bytes(p.type);
                   },
               .local_bytes_from = {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::warp_m, &Tiles::stages},
               .private_bytes =
                   [](Config c, Problem p, Profile) {
                     const std::int64_t warp = c.warp_m * c.warp_n + 16 * (c.warp_m + c.warp_n);  // sums, two steps
                     const std::int64_t copies = (c.tile_m + c.tile_n) * c.tile_k / (2 * items(c));
                     return static_cast<std::uint64_t>(warp / 32 + copies) * accumulator_bytes(p.type);
                   },
               .static_local_memory = true},
    .execution =
        [](Config c, Problem p, Profile d) {
          const TileGroups tiles = tile_groups(c, p);
          const GroupTime time = time_of(c, p, d);
          Execution execution = in_slices(p, d, tiles, items(c), divide(time, tiles, rules_of_slices(c), p, d));
          Launch& product = execution.launches.front();
          if (p.k_range) product.defines += order_of_ranges(time, tiles, p, d);
          if (p.complex)
            product.arguments.insert(product.arguments.end(), {gemm_slots::folded_re, gemm_slots::folded_im});
          return execution;
        },
    .execution_from = {&Tiles::tile_m, &Tiles::tile_n, &Tiles::tile_k, &Tiles::warp_m, &Tiles::warp_n, &Tiles::stages,
                       &Tiles::slice_k},
};

}  // namespace tensor_f64_parts

extern constexpr GemmVariant tensor_f64 = tensor_f64_parts::variant;

}  // namespace tilewright::detail::gemm_variants
