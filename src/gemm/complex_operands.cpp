#include "gemm/complex_operands.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/build_options.hpp"

namespace tilewright::detail {
namespace {

constexpr std::int64_t line = 16;                // rows of prepared matrices are whole vectors of this many elements
constexpr std::int64_t rows = 4;                 // ELEMENT_ROWS in complex_elements.cl
constexpr std::uint64_t largest_alignment = 16;  // the largest that kernels use

bool is_transposed(Transpose transpose) { return transpose != Transpose::no; }

// Whether all products of a batch have the same A, or the same B.
bool one_a(const GemmProblem& p) { return !p.batch.by_offsets && p.batch.stride_a == 0; }
bool one_b(const GemmProblem& p) { return !p.batch.by_offsets && p.batch.stride_b == 0; }

// Leading dimension and total size of a prepared matrix.
std::uint64_t prepared_ld(std::uint64_t columns) { return rounded_up(std::max<std::uint64_t>(1, columns), line); }

PreparedInput prepared(std::uint64_t count_of_rows, std::uint64_t ld, bool is_shared, const GemmProblem& core) {
  const std::uint64_t extent = std::max<std::uint64_t>(1, count_of_rows) * ld;
  const std::uint64_t count = is_shared ? 1 : std::max<std::uint64_t>(1, core.batch.count);
  return {{.bytes = bytes_of(count, extent, size_of(core.type))}, is_shared ? 0 : extent};
}

// Shape of a work-group: work-items along rows in memory, and across them.
struct Items {
  std::int64_t along, across;
};

struct Grid {
  std::vector<std::size_t> global, local;
};

// A grid whose work-items process `width` x `height` elements each.
Grid grid_of(std::uint64_t columns, std::int64_t width, std::uint64_t rows_in_all, std::int64_t height,
             const Items& group) {
  const auto items = [](std::uint64_t size, std::int64_t each, std::int64_t of_group) {
    return ceil_div(size, each * of_group) * static_cast<std::size_t>(of_group);
  };
  return {{items(columns, width, group.along), items(rows_in_all, height, group.across)},
          {static_cast<std::size_t>(group.along), static_cast<std::size_t>(group.across)}};
}

// Elements that a work-item moves together: a vector on CPUs; on GPUs one, and adjacent work-items access adjacent
// elements.
std::int64_t width_for(const DeviceProfile& device) { return device.type == DeviceType::cpu ? 8 : 1; }
// ELEMENT_BLOCK in complex_blocks.cl.
std::int64_t block_for(const DeviceProfile& device) { return device.type == DeviceType::cpu ? 8 : 4; }
Items group_for(const DeviceProfile& device) { return device.type == DeviceType::cpu ? Items{8, 8} : Items{32, 2}; }
// As group_for(), for blocks of a transposed operand.
Items blocks_for(const DeviceProfile& device) { return device.type == DeviceType::cpu ? Items{4, 4} : Items{32, 2}; }

// A problem whose C is stored as reals; A and B are not yet.
GemmProblem in_reals(const GemmProblem& problem) {
  GemmProblem core = problem;
  core.type = part_of(problem.type);
  core.n *= 2;
  core.ldc *= 2;
  core.batch.stride_c *= 2;
  core.offset_alignment = std::min(problem.offset_alignment, largest_alignment / 2) * 2;
  return core;
}

// Multiplies C by a beta with an imaginary part.
Launch scale_c(const GemmProblem& problem, const DeviceProfile& device) {
  using namespace gemm_slots;
  Grid grid = grid_of(problem.n, width_for(device), problem.m, rows, group_for(device));
  return {.kernel = "scale_c",
          .arguments = {offset(problem.m), offset(problem.n), c, offset(2 * problem.ldc), scale_re, scale_im, batch},
          .global = std::move(grid.global),
          .local = std::move(grid.local),
          .prepares = Preparation{.scalar = scale_im.value}};
}

}  // namespace

GemmProblem real_product(const GemmProblem& problem) {
  GemmProblem core = in_reals(problem);
  core.k *= 2;
  core.trans_a = core.trans_b = Transpose::no;
  core.lda = is_transposed(problem.trans_a) ? prepared_ld(core.k) : 2 * problem.lda;
  core.ldb = prepared_ld(core.n);
  Batch& batch = core.batch;
  batch.stride_a = is_transposed(problem.trans_a) && !one_a(problem) ? core.m * core.lda : 2 * batch.stride_a;
  batch.stride_b = one_b(problem) ? 0 : core.k * core.ldb;
  return normalized(core);
}

CoreProblem real_core(const GemmProblem& problem, const DeviceProfile& device) {
  using namespace gemm_slots;
  const GemmProblem core = real_product(problem);
  CoreProblem result{.problem = core,
                     .files = {"common/transpose_pairs.cl", "gemm/complex_elements.cl", "gemm/complex_blocks.cl",
                               "gemm/complex_operands.cl", "gemm/complex_scale.cl"},
                     .parts = 2};
  // Where the caller's matrix of a product is: a stride, or the index of its offset in the table.
  const auto source = [&](std::uint64_t stride) {
    return offset(core.batch.by_offsets ? core.batch.count : 2 * stride);
  };
  // On GPUs, groups of work-items that write adjacent elements; blocks if B is transposed.
  const Items group = group_for(device), blocks = blocks_for(device);
  const std::int64_t width = width_for(device), block = block_for(device);
  const std::string defines = define("ELEMENT_WIDTH", width) +
                              define("CONJUGATED_A", problem.trans_a == Transpose::conjugate_transpose) +
                              define("CONJUGATED_B", problem.trans_b == Transpose::conjugate_transpose) +
                              define("TRANSPOSED_B", is_transposed(problem.trans_b));
  std::uint64_t places = 0;
  if (is_transposed(problem.trans_a)) {
    result.inputs[0] = prepared(core.m, core.lda, one_a(problem), core);
    Grid grid = grid_of(problem.m, block, problem.k, block, blocks);
    result.preparations.push_back(
        {.kernel = "copy_a",
         .arguments = {offset(problem.m), offset(problem.k), a, offset(2 * problem.lda), source(problem.batch.stride_a),
                       workspace(places++), offset(core.lda), offset(result.inputs[0]->stride), batch},
         .global = std::move(grid.global),
         .local = std::move(grid.local),
         .prepares = Preparation{.input = a.value},
         .shared = one_a(problem)});
  }
  result.inputs[1] = prepared(core.k, core.ldb, one_b(problem), core);
  Grid of_b = is_transposed(problem.trans_b) ? grid_of(problem.k, block, problem.n, block, blocks)
                                             : grid_of(problem.n, width, problem.k, rows, group);
  result.preparations.push_back({.kernel = "expand_b",
                                 .arguments = {offset(problem.k), offset(problem.n), b, offset(2 * problem.ldb),
                                               source(problem.batch.stride_b), workspace(places), offset(core.ldb),
                                               offset(result.inputs[1]->stride), folded_re, folded_im, batch},
                                 .global = std::move(of_b.global),
                                 .local = std::move(of_b.local),
                                 .prepares = Preparation{.input = b.value},
                                 .shared = one_b(problem),
                                 .defines = defines});
  result.preparations.push_back(scale_c(problem, device));
  return result;
}

CoreProblem complex_core(const GemmProblem& problem, const DeviceProfile& device, std::uint64_t parts) {
  CoreProduct product = in_reals(problem);
  product.k *= parts;
  product.complex = {problem.trans_a == Transpose::conjugate_transpose,
                     problem.trans_b == Transpose::conjugate_transpose};
  for (Transpose* const trans : {&product.trans_a, &product.trans_b})
    if (is_transposed(*trans)) *trans = Transpose::yes;
  product.lda *= 2;
  product.ldb *= 2;
  product.batch.stride_a *= 2;
  product.batch.stride_b *= 2;
  Launch of_c = scale_c(problem, device);
  of_c.defines = define("ELEMENT_WIDTH", width_for(device));
  return {.problem = product,
          .preparations = {std::move(of_c)},
          .files = {"gemm/complex_elements.cl", "gemm/complex_scale.cl"},
          .parts = 2};
}

CallScalars core_scalars(std::complex<double> alpha, std::complex<double> beta) {
  const bool folds = alpha.imag() != 0, scales = beta.imag() != 0;
  return {folds ? 1 : alpha.real(),
          scales ? 1 : beta.real(),
          folds ? alpha.real() : 1,
          alpha.imag(),
          beta.real(),
          beta.imag()};
}

}  // namespace tilewright::detail
