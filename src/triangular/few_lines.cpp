#include "triangular/few_lines.hpp"

#include <algorithm>
#include <bit>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"
#include "kernels/small_matrices.hpp"

namespace tilewright::detail {
namespace {

// With more right-hand sides, products of blocks are faster. Lines of larger systems take more than 64 KiB of private
// memory.
constexpr std::uint64_t most_few_rows = 2048;
constexpr std::uint64_t most_few_lines = 16;

// Parameters of the kernel: its options of the same names.
struct FewLinesShape {
  std::int64_t most, wide, lines, block;
};

// The sums of a block are chains of multiply-adds, of which a core needs eight or more at the same time. The sums of 16
// vectors still leave registers for T.
FewLinesShape few_lines_shape(const TrsmSystem& system, const DeviceProfile& device) {
  const DataType type = system.problem.type;
  const std::int64_t parts = is_complex(type) ? 2 : 1;
  const auto bytes = static_cast<std::int64_t>(size_of(part_of(type)));
  const std::int64_t lines = std::min<std::int64_t>(4 / parts, static_cast<std::int64_t>(std::bit_ceil(system.nrhs)));
  return {.most = static_cast<std::int64_t>(std::bit_ceil(std::max<std::uint64_t>(64, system.order))),
          .wide = std::clamp<std::int64_t>(native_vector_width(device, part_of(type)), 4, 64 / bytes),
          .lines = lines,
          .block = lines * parts == 1 ? 8 : 4};
}

// `first` or `second` of the kernel.
std::uint64_t flags_of(const TrsmSystem& system) {
  constexpr std::uint64_t solves = 1, upper = 2, unit = 4, by_rows = 8, conjugated = 16;
  return solves + (system.is_upper ? upper : 0) + (system.problem.diag == Diag::unit ? unit : 0) +
         (system.t_column_step == 1 ? by_rows : 0) + (system.is_conjugated ? conjugated : 0);
}

}  // namespace

bool has_few_lines(std::uint64_t order, std::uint64_t nrhs, std::uint64_t count, const DeviceProfile& device) {
  if (device.type != DeviceType::cpu || are_many_small(count, order)) return false;
  return count > 0 && order > 0 && order <= most_few_rows && nrhs > 0 && nrhs <= most_few_lines;
}

FewLinesSolver::FewLinesSolver(const Engine& engine, std::span<const TrsmSystem> systems, Interchanges interchanges,
                               std::uint64_t stride_pivots)
    : interchanges_(interchanges != Interchanges::none), sequence_(engine) {
  using namespace argument;
  constexpr KernelArgument alpha = scalar(0), a = matrix(0), b = matrix(1), pivots = matrix(2);
  const TrsmSystem& system = systems.front();
  const TrsmProblem& p = system.problem;
  const DeviceProfile& device = engine.profile();
  const FewLinesShape shape = few_lines_shape(system, device);
  Launch launch{.kernel = "solve_few",
                .arguments = {index(system.order), index(system.nrhs), index(flags_of(system)),
                              index(systems.size() > 1 ? flags_of(systems[1]) : 0),
                              index(static_cast<std::uint64_t>(interchanges)), alpha, a, offset(p.lda),
                              offset(p.batch.stride_a), b, offset(system.b_row_step), offset(system.b_column_step),
                              offset(p.batch.stride_b), pivots, offset(stride_pivots)},
                .global = {static_cast<std::size_t>(ceil_div(system.nrhs, shape.lines)), 1},
                .local = {1, 1}};
  const KernelSource source{
      "trsm",
      {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl", "common/reciprocal.cl", file},
      language_option() + define("INDEX_BITS", 64) + element_options(p.type) + define("MOST", shape.most) +
          define("WIDE", shape.wide) + define("LINES", shape.lines) + define("BLOCK", shape.block) +
          define_if(device.aligned_buffers, "ALIGNED_BUFFERS")};
  sequence_.build(engine, source, in_grids({std::move(launch)}, p.batch.count, device.max_work_groups),
                  {.scalar_type = p.type, .wide_index = true, .batch_count = p.batch.count});
}

void FewLinesSolver::solve(CommandChain& chain, std::complex<double> alpha, const MatrixRef& a, const MatrixRef& b,
                           const MatrixRef& pivots, bool event) const {
  // A kernel that reads no pivots gets another buffer instead.
  sequence_.run(chain, {.scalars = {alpha}, .matrices = {a, b, interchanges_ ? pivots : MatrixRef{b.buffer}}}, event);
}

}  // namespace tilewright::detail
