#include "gemm/packed_panel.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "gemm/variants/panel_division.hpp"
#include "kernels/build_options.hpp"

namespace tilewright::detail::gemm_variants {
namespace packed_panel_parts {
namespace {

using Config = const Panels&;
using Problem = const CoreProduct&;
using Profile = const DeviceProfile&;

constexpr std::int64_t a_panels = 16;  // A_PANELS in packed_panel_a.cl

// Whether all products of a batch have the same A, or the same B.
bool one_a(Problem p) { return !p.batch.by_offsets && p.batch.stride_a == 0; }
bool one_b(Problem p) { return !p.batch.by_offsets && p.batch.stride_b == 0; }

// Elements of a panel of A with `steps` steps: an odd number of cache lines, as in packed_panel_a.cl.
std::uint64_t a_panel(Config c, Problem p, std::uint64_t steps) {
  const std::uint64_t line = 64 / accumulator_bytes(p.type);
  return ((steps * static_cast<std::uint64_t>(sum_rows(c, p)) + line - 1) / line / 2 * 2 + 1) * line;
}
std::uint64_t panels_of_a(Config c, Problem p) { return ceil_div(all_sum_rows(p), sum_rows(c, p)); }

// Maximum number of steps of k whose sum is exact in float, for integers that are summed in float.
std::int64_t exact_steps(DataType type) {
  if (!is_integer(type)) return std::numeric_limits<std::int64_t>::max();
  return type == DataType::u8 ? 256 : 1024;
}

std::uint64_t packed_columns(Config c, Problem p) { return rounded_up(p.n, c.item_n); }

// Width of a block of C, and its cost per column relative to the widest.
struct BlockWidth {
  std::int64_t vector, strips;
  double cost;
  std::int64_t columns() const { return vector * strips; }
};

// The width with the least time for a product's columns, including those past the edge. Packing B takes as long as some
// rows of C; blocks that are not wider than C can do without. Measured on PoCL.
BlockWidth block_width(Problem p, std::int64_t vector, bool many_registers, bool packs_b) {
  constexpr double packed_rows = 30;
  const BlockWidth widths[] = {{vector, 4, 1},   {vector, 3, 1.1},     {vector, 2, 1.4},
                               {vector, 1, 1.5}, {vector / 2, 3, 1.5}, {vector / 2, 1, 2}};
  const BlockWidth narrow_widths[] = {{vector, 2, 1}, {vector, 1, 1.4}};
  const std::span<const BlockWidth> choices = many_registers ? std::span<const BlockWidth>(widths) : narrow_widths;
  const auto time = [&](const BlockWidth& width) {
    const std::int64_t columns = width.columns();
    const bool packs = packs_b || p.trans_b == Transpose::yes || p.n < static_cast<std::uint64_t>(columns);
    const double packing = packs ? packed_rows / static_cast<double>(std::max<std::uint64_t>(1, all_sum_rows(p))) : 0;
    return static_cast<double>(rounded_up(std::max<std::uint64_t>(1, p.n), columns)) * (width.cost + packing);
  };
  return *std::min_element(choices.begin(), choices.end(),
                           [&](const BlockWidth& x, const BlockWidth& y) { return time(x) < time(y); });
}

// Rows of a block with `strips` strips whose sums fit into `sums` registers. A step loads an element per row and a
// vector per strip, and rows past the edge count.
std::int64_t block_rows(Problem p, std::int64_t strips, std::int64_t sums) {
  const std::uint64_t all = all_sum_rows(p);
  if (all == 1) return 1;
  std::int64_t best = 0;
  double least = 0;
  for (const std::int64_t rows : {12, 8, 6, 4, 2}) {
    if (rows * strips > sums) continue;
    const double loads = static_cast<double>(rows + strips) / static_cast<double>(rows * strips);
    const double time = loads * static_cast<double>(rounded_up(all, rows));
    if (best != 0 && time >= least) continue;
    best = rows;
    least = time;
  }
  return best;
}

// Whether each group copies its panel of B. This is faster than a launch of pack_b, and than reading the rows of B
// where they are again and again, unless few rows use a B that no cache holds. A group's rows of A must stay in the
// last cache, because each panel of B reads them. Measured on PoCL.
bool copies_panels(Problem p, bool packs_b, bool one_panel) {
  constexpr std::uint64_t rows_of_group = 768, max_a = 10 << 20, max_b = 7 << 20;  // bytes
  if (p.trans_b == Transpose::yes || p.k_range || p.triangle || has_symmetric(p, false)) return false;
  const std::uint64_t rows = all_sum_rows(p), row_of_a = p.k * accumulator_bytes(p.type);
  if (std::min(rows, rows_of_group) * row_of_a > max_a) return false;
  if (rows <= 384 && (packs_b || p.n * row_of_a > max_b)) return false;  // a batch may pack one B
  return one_panel || (p.trans_a == Transpose::no && rows > 24 && p.n * p.k > 250000);
}

// The block uses as many vector registers as fit: 24 of AVX-512's 32, or 12 of the 16 or more of other CPUs. A wide
// block broadcasts fewer elements of A. A group with many rows needs only one panel of B. But the rows of a transposed
// A that a group packs itself should serve several panels. With many columns these rows are packed once for all groups.
// Rows of a triangular A need different numbers of steps, so their groups are smaller.
// If k is short, writing a large C dominates, and few rows in long pieces are written fastest. Where groups cannot copy
// B, packing it pays from about 400 rows on, counting all products of a batch with one B. Measured on PoCL.
Panels preferred(Problem p, Profile d) {
  const std::int64_t native = native_vector_width(d, accumulator_of(p.type));
  const std::int64_t vector = is_vector_width(native) ? native : 4;
  const bool many_registers = static_cast<std::size_t>(vector) * accumulator_bytes(p.type) >= 64;
  const std::uint64_t rows = all_sum_rows(p);
  const bool is_large = rows > 96 && p.n * p.k > 65536;
  const bool packs_b = has_symmetric(p, false) || (is_large && (rows > 384 || (one_b(p) && p.batch.count > 1)));
  const BlockWidth width = block_width(p, vector, many_registers, packs_b);
  const bool packs_a = p.trans_a == Transpose::yes && (has_symmetric(p, true) || (is_large && p.n >= 512));
  const bool one_panel = is_large && (packs_a || p.trans_a == Transpose::no);
  // Elements of half the size allow more steps.
  const std::int64_t block_k = accumulator_bytes(p.type) == 4 ? (one_panel ? 1024 : 384) : (one_panel ? 512 : 256);
  Panels result{.item_m = block_rows(p, width.strips, many_registers ? 24 : 12),
                .item_n = width.columns(),
                .vector_n = width.vector,
                .block_k = std::min(block_k, exact_steps(p.type)),
                .group_m = one_panel && (!p.k_range || is_in_place(p)) ? 384 : 96,
                .group_n = one_panel ? width.columns() : 256,
                .slice_k = 256,
                .unroll = 2,
                .pack_a = packs_a ? 1 : 0,
                .pack_b = packs_b ? 1 : 0};
  if (d.type == DeviceType::cpu && copies_panels(p, packs_b, one_panel)) {
    const auto block = static_cast<std::uint64_t>(result.block_k);
    result.group_m = p.k > block / 2 && p.k <= block ? 1536 : 768;  // one deep block of k
    result.pack_b = 2;
  }
  if (is_in_place(p)) result.group_n = 128;
  const bool is_c_in_cache = p.n * rows * accumulator_bytes(p.type) <= 6 << 20;
  if (packs_b && p.k <= 128 && (result.pack_b == 1 || !is_c_in_cache)) {
    result.group_m = 24;
    result.group_n = 1024;
    result.pack_b = 1;
  }
  // A GPU has little private memory for rows of A that a group packs or converts.
  if (d.type != DeviceType::cpu) {
    result.block_k = 64;
    result.pack_a = p.trans_a == Transpose::yes ? 1 : 0;
  }
  return result;
}

}  // namespace

constexpr GemmVariant variant{
    .name = "packed_panel",
    .summary = "packed panels, a block of C in vector registers, one work-item per work-group: for CPUs",
    .program = {.file = "gemm/packed_panel.cl",
                .shared_files = {"common/transpose_rows.cl", "common/transpose_pairs.cl", "gemm/terms.cl",
                                 "gemm/packed_panel_block.cl", "gemm/packed_panel_range.cl", "gemm/packed_panel_a.cl",
                                 "gemm/packed_panel_complex.cl", "gemm/packed_panel_b.cl",
                                 "gemm/packed_panel_symmetric.cl", "gemm/packed_panel_diagonal.cl",
                                 split_k_reduction_file},
                .launch_parameters = {&Panels::group_m, &Panels::group_n, &Panels::slice_k, &Panels::pack_a,
                                      &Panels::pack_b},
                .extra_defines =
                    [](Config c, Problem p) {
                      return define("PACKED_A", packs_a(c, p)) + define("PACKED_B", packs_b(c, p)) +
                             define_if(copies_b(c, p), "COPIED_B");
                    }},
    .parameters =
        {
            {"item_m", &Panels::item_m, "rows of a block of C, and of a panel of A", {1, 2, 4, 6, 8, 12, 14}},
            {"item_n", &Panels::item_n, "columns of a block of C, and of a panel of B", {4, 8, 16, 32, 48, 64}},
            {"vector_n", &Panels::vector_n, "elements per vector", {2, 4, 8, 16}},
            {"block_k", &Panels::block_k, "steps of k before the next block of C", {64, 128, 256, 384, 512, 1024}},
            {"group_m", &Panels::group_m, "maximum rows of C per work-group", {24, 48, 96, 192, 384, 768, 1536}},
            {"group_n", &Panels::group_n, "maximum columns of C per work-group", {64, 128, 256, 512, 1024}},
            {"slice_k", &Panels::slice_k, "minimum slice if k is split for lack of work-groups", {32, 256, 1024}},
            {"unroll", &Panels::unroll, "steps of k that are unrolled", {1, 2, 4, 8}},
            {"pack_a", &Panels::pack_a, "1: pack a transposed A once; 0: in each group that uses it", {0, 1}},
            {"pack_b",
             &Panels::pack_b,
             "1: pack B; 2: each group copies its panel of B, if 0 would not pack it; 0: only if it is transposed or "
             "narrower than a block",
             {0, 1, 2}},
        },
    .constraints =
        {
            {"vector_n is 1, 2, 4, 8 or 16",
             "OpenCL C has no other vectors",
             {&Panels::vector_n},
             [](Config c, Problem, Profile) { return is_vector_width(c.vector_n); }},
            {"item_n is a multiple of vector_n",
             "a block's rows are whole vectors",
             {&Panels::item_n, &Panels::vector_n},
             [](Config c, Problem, Profile) { return c.item_n % c.vector_n == 0; }},
            {"block_k is a multiple of unroll",
             "only the last steps of k may be left over",
             {&Panels::block_k, &Panels::unroll},
             [](Config c, Problem, Profile) { return c.block_k % c.unroll == 0; }},
            {"block_k <= 1024 for i8, 256 for u8",
             "sums of a block of k are exact in float",
             {&Panels::block_k},
             [](Config c, Problem p, Profile) { return c.block_k <= exact_steps(p.type); }},
            {"item_m item_n / vector_n <= 64",
             "more vectors do not fit into registers",
             {&Panels::item_m, &Panels::item_n, &Panels::vector_n},
             [](Config c, Problem, Profile) { return c.item_m * c.item_n / c.vector_n <= 64; }},
            {"unroll <= 16, pack_a <= 1, pack_b <= 2",
             "the kernel implements no other values",
             {&Panels::unroll, &Panels::pack_a, &Panels::pack_b},
             [](Config c, Problem, Profile) { return c.unroll <= 16 && c.pack_a <= 1 && c.pack_b <= 2; }},
        },
    .preferences = [](Problem p, Profile d) -> std::vector<ParameterValues> {
      const Panels best = preferred(p, d);
      Panels small = best;
      small.item_m = small.item_n = small.vector_n = 4;
      return {best, small};
    },
    .strategies = {{{&Panels::pack_a, 1}, {&Panels::pack_b, 0}}, {{&Panels::pack_b, 2}}},
    .edges = [](const Panels& c) -> Edges {
      return {{c.item_m, c.group_m, a_panels * c.item_m},
              {c.item_n, c.vector_n, c.group_n},
              {c.unroll, c.vector_n, c.block_k, c.slice_k}};
    },
    .computes_part =
        [](Config, Problem p) {
          if (!p.k_range) return p.triangle.has_value() || p.symmetric.has_value();
          return p.k_range->is_triangle && p.k_range->steps() == 1;
        },
    .complex_form = [](Config c) { return c.vector_n % 2 == 0 ? ComplexForm::elements : ComplexForm::prepared; },
    .memory = {.private_bytes =
                   [](Config c, Problem p, Profile d) {
                     const bool packs = p.trans_a == Transpose::yes && !packs_a(c, p);
                     const std::uint64_t panels =
                         packs ? a_panels * a_panel(c, p, static_cast<std::uint64_t>(c.block_k)) : 0;
                     const bool converts = p.trans_a == Transpose::no && accumulator_of(p.type) != p.type;
                     const std::int64_t rows = converts ? c.item_m * c.block_k : 0;
                     const std::int64_t copy = copies_b(c, p) ? c.item_n * c.block_k : 0;
                     const std::int64_t blocks =
                         kept_blocks(c, p, d) + 2;  // plus the current block, and one at an edge
                     return (panels + static_cast<std::uint64_t>(rows + copy + blocks * sum_rows(c, p) * c.item_n)) *
                            accumulator_bytes(p.type);
                   }},
    .execution =
        [](Config config, Problem p, Profile d) {
          using namespace gemm_slots;
          const PanelDivision division = divide(config, p, d);
          const std::size_t blocks_k = std::max<std::size_t>(1, ceil_div(p.k, config.block_k));
          const std::size_t element = accumulator_bytes(p.type);
          Execution execution;
          const std::uint64_t a_stride = one_a(p) ? 0 : panels_of_a(config, p) * a_panel(config, p, p.k);
          const std::uint64_t b_stride = one_b(p) ? 0 : packed_columns(config, p) * p.k;
          KernelArgument a_argument = a, b_argument = b;
          std::vector<KernelArgument> c_arguments{c, index(p.ldc)};
          if (packs_a(config, p)) {
            a_argument = workspace(execution.workspaces.size());
            execution.launches.push_back(
                {.kernel = "pack_a",
                 .arguments = {index(all_sum_rows(p)), index(p.k), a, index(p.lda), a_argument, offset(a_stride),
                               batch},
                 .global = {blocks_k, ceil_div(all_sum_rows(p), a_panels * sum_rows(config, p))},
                 .local = {1, 1},
                 .packs = Packing{a.value, a_argument.value, "panels of " + std::to_string(config.item_m)},
                 .shared = one_a(p)});
            execution.workspaces.push_back({.bytes = bytes_of((one_a(p) ? 1 : p.batch.count) * panels_of_a(config, p),
                                                              a_panel(config, p, p.k), element)});
          }
          if (packs_b(config, p)) {
            b_argument = workspace(execution.workspaces.size());
            std::vector<KernelArgument> arguments{index(p.k),   index(p.n), b,
                                                  index(p.ldb), b_argument, offset(b_stride)};
            if (p.complex) arguments.insert(arguments.end(), {folded_re, folded_im});
            arguments.push_back(batch);
            execution.launches.push_back(
                {.kernel = "pack_b",
                 .arguments = std::move(arguments),
                 .global = {blocks_k, ceil_div(p.n, config.item_n)},
                 .local = {1, 1},
                 .packs = Packing{b.value, b_argument.value, "panels of " + std::to_string(config.item_n)},
                 .shared = one_b(p)});
            execution.workspaces.push_back(
                {.bytes = bytes_of((one_b(p) ? 1 : p.batch.count) * packed_columns(config, p),
                                   std::max<std::uint64_t>(1, p.k), element)});
          }
          const std::uint64_t slices_place = execution.workspaces.size();
          const bool in_slices = division.slices.count > 1;
          if (in_slices) {
            c_arguments = slices_arguments(p, slices_place);
            execution.workspaces.push_back(slices_workspace(p, division.slices));
          }

          Launch product{.kernel = "gemm",
                         .arguments = {index(p.m), index(p.n), depth, alpha, a_argument, index(p.lda)},
                         .global = {division.groups_n, division.groups_m, division.slices.count},
                         .local = {1, 1, 1},
                         .work_per_group = wanted_part(p) * static_cast<double>(division.group_m * division.group_n) *
                                           static_cast<double>(division.slices.length),
                         .defines = define("KEPT", kept_blocks(config, p, d)) + define_if(in_slices, "SPLIT_K")};
          const auto append = [&](const std::vector<KernelArgument>& arguments) {
            product.arguments.insert(product.arguments.end(), arguments.begin(), arguments.end());
          };
          append({b_argument, index(p.ldb), beta});
          append(c_arguments);
          append({index(static_cast<std::uint64_t>(division.group_m) / parts_of_row(p)),
                  index(static_cast<std::uint64_t>(division.group_n)),
                  index(static_cast<std::uint64_t>(division.slices.length)), index(division.slices.count),
                  offset(a_stride), offset(b_stride)});
          if (p.complex && !packs_b(config, p)) append({folded_re, folded_im});
          append({batch, epilogue});
          execution.launches.push_back(std::move(product));
          if (in_slices) execution.launches.push_back(split_k_reduction_launch(p, d, division.slices, slices_place));
          return execution;
        },
};

}  // namespace packed_panel_parts

extern constexpr GemmVariant packed_panel = packed_panel_parts::variant;

std::int64_t preferred_panel_columns(const GemmProblem& p, const DeviceProfile& d) {
  return packed_panel_parts::preferred(p, d).item_n;
}

}  // namespace tilewright::detail::gemm_variants
