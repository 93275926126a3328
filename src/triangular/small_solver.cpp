#include "triangular/small_solver.hpp"

#include <algorithm>
#include <bit>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"
#include "kernels/small_matrices.hpp"

namespace tilewright::detail {
namespace {

// CPUs: with more right-hand sides, the kernels that process vectors of them are faster.
constexpr std::uint64_t most_lines_of_item = 4;
// GPUs, a work-item per row: T is read once for this many right-hand sides.
constexpr std::int64_t lines_of_rows = 4;
// GPUs, a work-item per line: with fewer lines or elements, a work-item per row is faster.
constexpr std::uint64_t least_lines = 8;
constexpr std::uint64_t least_elements = 65;  // of a system's B
constexpr std::uint64_t most_lines = 256;
constexpr std::int64_t lines_of_group = 32;
constexpr std::int64_t group_of_gpu = small_matrices_group;

SmallTrsmShape item_shape(std::uint64_t order) {
  return {.file = "triangular/small_item.cl",
          .rows = static_cast<std::int64_t>(std::bit_ceil(order)),
          .systems = 16,
          .lines = static_cast<std::int64_t>(most_lines_of_item),
          .group = 16};
}

// Matrices of 32 rows of complex doubles fill 33 KiB of local memory.
SmallTrsmShape row_shape(std::uint64_t order, std::uint64_t lines, DataType type) {
  const auto rows = static_cast<std::int64_t>(std::bit_ceil(order));
  SmallTrsmShape shape{.file = "triangular/small_group.cl",
                       .rows = rows,
                       .systems = group_of_gpu / rows,
                       .lines = std::min(lines_of_rows, static_cast<std::int64_t>(std::bit_ceil(lines))),
                       .group = group_of_gpu};
  shape.local_bytes =
      static_cast<std::size_t>(shape.group * (shape.rows + 1) + 2 * shape.systems * shape.lines) * size_of(type);
  return shape;
}

// Fewer systems share a group if local memory is scarce. Rows are rounded up, so that few programs are compiled.
SmallTrsmShape line_shape(const TrsmSystem& system) {
  const auto lines = std::min(lines_of_group, static_cast<std::int64_t>(std::bit_ceil(system.nrhs)));
  SmallTrsmShape shape{.file = "triangular/small_line.cl",
                       .rows = static_cast<std::int64_t>(rounded_up(system.order, system.order <= 4 ? 4 : 8)),
                       .systems = 2 * group_of_gpu / lines,
                       .lines = lines,
                       .is_staged = system.b_row_step < system.b_column_step};
  const std::size_t bytes = size_of(system.problem.type);
  do {
    shape.systems /= 2;
    shape.group = shape.systems * lines;
    shape.local_bytes = static_cast<std::size_t>(shape.systems * shape.rows) *
                            ((static_cast<std::size_t>(shape.rows) + 1) * bytes + 4) +
                        (shape.is_staged ? static_cast<std::size_t>(shape.group * (shape.rows + 1)) * bytes : 0);
  } while (shape.local_bytes > small_matrices_local_bytes && shape.systems > 1);
  return shape;
}

SmallTrsmShape gpu_shape(const TrsmSystem& system) {
  const bool has_lines = system.nrhs >= least_lines && system.order * system.nrhs >= least_elements;
  return has_lines ? line_shape(system) : row_shape(system.order, system.nrhs, system.problem.type);
}

}  // namespace

SmallTrsmShape small_trsm_shape(const TrsmSystem& system, const DeviceProfile& device) {
  if (!are_many_small(system.problem.batch.count, system.order)) return {};
  const bool is_cpu = device.type == DeviceType::cpu;
  if (system.nrhs > (is_cpu ? most_lines_of_item : most_lines)) return {};
  const SmallTrsmShape shape = is_cpu ? item_shape(system.order) : gpu_shape(system);
  const std::size_t largest_group = std::min(device.max_work_group_size, device.max_work_item_sizes[0]);
  const bool fits = static_cast<std::size_t>(shape.group) <= largest_group &&
                    (is_cpu || shape.local_bytes <= device.local_memory_bytes);
  return fits ? shape : SmallTrsmShape{};
}

SmallTrsmSolver::SmallTrsmSolver(const Engine& engine, const TrsmSystem& system, const SmallTrsmShape& shape)
    : shape_(shape), sequence_(engine) {
  using namespace argument;
  constexpr KernelArgument alpha = scalar(0), a = matrix(0), b = matrix(1);
  const TrsmProblem& p = system.problem;
  const DeviceProfile& device = engine.profile();
  const auto items = static_cast<std::size_t>(shape.group);
  Launch launch{.kernel = "solve_small",
                .arguments = {index(system.order), index(system.nrhs), index(p.batch.count),
                              index(system.is_upper ? 1 : 0), index(p.diag == Diag::unit ? 1 : 0), alpha, a,
                              offset(system.t_row_step), offset(system.t_column_step), offset(p.batch.stride_a), b,
                              offset(system.b_row_step), offset(system.b_column_step), offset(p.batch.stride_b)},
                .global = {ceil_div(p.batch.count, shape.systems) * items, ceil_div(system.nrhs, shape.lines)},
                .local = {items, 1}};
  const KernelSource source{
      "trsm",
      {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl", "common/reciprocal.cl",
       "common/quads.cl", "common/small_tiles.cl", "triangular/conjugation.cl", shape.file},
      language_option() + define("INDEX_BITS", 64) + element_options(p.type) + define("ROWS", shape.rows) +
          define("SYSTEMS", shape.systems) + define("LINES", shape.lines) + define_if(shape.is_staged, "STAGED") +
          define_if(system.is_conjugated, "CONJUGATED") + define_if(device.aligned_buffers, "ALIGNED_BUFFERS")};
  sequence_.build(engine, source, in_grids({std::move(launch)}, 1, device.max_work_groups),
                  {.scalar_type = p.type, .wide_index = true});
}

void SmallTrsmSolver::solve(CommandChain& chain, std::complex<double> alpha, const MatrixRef& a, const MatrixRef& b,
                            bool event) const {
  sequence_.run(chain, {.scalars = {alpha}, .matrices = {a, b}}, event);
}

}  // namespace tilewright::detail
