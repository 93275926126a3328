#include "triangular/small_solver.hpp"

#include <algorithm>
#include <bit>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

// From so many systems on, full work-groups matter more than the time of a single system.
constexpr std::uint64_t least_count = 32;
constexpr std::uint64_t most_rows = 32;
// CPUs: a vector of right-hand sides is faster from here on.
constexpr std::uint64_t most_lines_of_item = 4;
// GPUs: T is read once for this many right-hand sides.
constexpr std::int64_t lines_of_group = 4;
constexpr std::uint64_t most_lines_of_group = 32;

SmallTrsmShape item_shape(std::uint64_t order) {
  return {.file = "triangular/small_item.cl",
          .rows = static_cast<std::int64_t>(std::bit_ceil(order)),
          .systems = 16,
          .lines = static_cast<std::int64_t>(most_lines_of_item),
          .group = 16};
}

// Two warps, or one wavefront. Matrices of 32 rows of complex doubles fill 33 KiB of local memory.
SmallTrsmShape group_shape(std::uint64_t order, std::uint64_t lines) {
  constexpr std::int64_t group = 64;
  const auto rows = static_cast<std::int64_t>(std::bit_ceil(order));
  return {.file = "triangular/small_group.cl",
          .rows = rows,
          .systems = group / rows,
          .lines = std::min(lines_of_group, static_cast<std::int64_t>(std::bit_ceil(lines))),
          .group = group};
}

std::size_t local_bytes(const SmallTrsmShape& shape, DataType type) {
  return static_cast<std::size_t>(shape.group * (shape.rows + 1) + 2 * shape.systems * shape.lines) * size_of(type);
}

}  // namespace

SmallTrsmShape small_trsm_shape(const TrsmSystem& system, const DeviceProfile& device) {
  if (system.problem.batch.count < least_count || system.order > most_rows) return {};
  const std::size_t largest_group = std::min(device.max_work_group_size, device.max_work_item_sizes[0]);
  const bool is_cpu = device.type == DeviceType::cpu;
  if (system.nrhs > (is_cpu ? most_lines_of_item : most_lines_of_group)) return {};
  const SmallTrsmShape shape = is_cpu ? item_shape(system.order) : group_shape(system.order, system.nrhs);
  const bool fits = static_cast<std::size_t>(shape.group) <= largest_group &&
                    (is_cpu || local_bytes(shape, system.problem.type) <= device.local_memory_bytes);
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
      {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl", shape.file},
      language_option() + define("INDEX_BITS", 64) + element_options(p.type) + define("ROWS", shape.rows) +
          define("SYSTEMS", shape.systems) + define("LINES", shape.lines) +
          define_if(system.is_conjugated, "CONJUGATED") + define_if(device.aligned_buffers, "ALIGNED_BUFFERS")};
  sequence_.build(engine, source, in_grids({std::move(launch)}, 1, device.max_work_groups),
                  {.scalar_type = p.type, .wide_index = true});
}

void SmallTrsmSolver::solve(CommandChain& chain, std::complex<double> alpha, const MatrixRef& a, const MatrixRef& b,
                            bool event) const {
  sequence_.run(chain, {.scalars = {alpha}, .matrices = {a, b}}, event);
}

}  // namespace tilewright::detail
