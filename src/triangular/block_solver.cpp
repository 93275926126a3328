#include "triangular/block_solver.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t clear_group = 64;

std::size_t clear_items(const DeviceProfile& device) {
  return std::min(clear_group, std::min(device.max_work_group_size, device.max_work_item_sizes[0]));
}

KernelSource source_of(const TrsmSystem& system, const TrsmShape& shape, const DeviceProfile& device) {
  std::vector<std::string_view> files{
      "common/index.cl",      "common/bfloat16.cl",        "common/types.cl", "common/complex.cl",
      "common/reciprocal.cl", "triangular/conjugation.cl", shape.pack_file,   shape.file,
      "triangular/clear.cl"};
  if (shape.update_group > 0) files.emplace_back("triangular/update_rows.cl");
  return {"trsm", std::move(files),
          language_option() + define("INDEX_BITS", 64) + element_options(system.problem.type) + shape.defines() +
              define("CLEAR_WG", clear_items(device)) + define_if(system.is_conjugated, "CONJUGATED") +
              define_if(device.aligned_buffers, "ALIGNED_BUFFERS")};
}

Launch pack_launch(const TrsmSystem& system, const TrsmShape& shape, std::uint64_t blocks, std::uint64_t stride) {
  using namespace argument;
  constexpr KernelArgument a = matrix(0), packed = matrix(1);
  const auto items = static_cast<std::size_t>(shape.pack_group);
  return {.kernel = "pack_diagonal",
          .arguments = {index(system.order), index(system.problem.diag == Diag::unit ? 1 : 0),
                        index(system.is_upper ? 1 : 0), a, offset(system.t_row_step), offset(system.t_column_step),
                        offset(system.problem.batch.stride_a), packed, offset(stride)},
          .global = {static_cast<std::size_t>(shape.block / shape.pack_rows) * items, static_cast<std::size_t>(blocks)},
          .local = {items, 1}};
}

Launch solve_launch(const TrsmSystem& system, const TrsmShape& shape, std::uint64_t stride) {
  using namespace argument;
  constexpr KernelArgument rows = size, alpha = scalar(0), packed = matrix(0), b = matrix(1);
  const auto items = static_cast<std::size_t>(shape.group);
  const std::uint64_t step = system.is_upper ? 0 - system.b_row_step : system.b_row_step;  // signed in the kernel
  return {.kernel = "solve_block",
          .arguments = {rows, index(system.nrhs), alpha, packed, offset(stride), b, offset(step),
                        offset(system.b_column_step), offset(system.problem.batch.stride_b)},
          .global = {ceil_div(system.nrhs, shape.nrhs) * items, 1},
          .local = {items, 1}};
}

// The grid is that of the first update. Later updates have fewer rows, and leave part of it idle.
Launch update_launch(const TrsmSystem& system, const TrsmShape& shape) {
  using namespace argument;
  constexpr KernelArgument rest = size, factor = scalar(0), a = matrix(0), b = matrix(1);
  const auto items = static_cast<std::size_t>(shape.update_group);
  return {
      .kernel = "update_rows",
      .arguments = {rest, index(system.order), index(system.nrhs), index(system.is_upper ? 1 : 0), factor, a,
                    offset(system.t_row_step), offset(system.t_column_step), offset(system.problem.batch.stride_a), b,
                    offset(system.b_row_step), offset(system.b_column_step), offset(system.problem.batch.stride_b)},
      .global = {ceil_div(system.order, TrsmShape::update_rows) * items, ceil_div(system.nrhs, TrsmShape::update_nrhs)},
      .local = {items, 1}};
}

Launch clear_launch(const TrsmSystem& system, std::size_t items) {
  using namespace argument;
  constexpr KernelArgument b = matrix(0);
  const TrsmProblem& p = system.problem;
  return {.kernel = "clear",
          .arguments = {index(p.n), b, offset(p.ldb), offset(p.batch.stride_b)},
          .global = {ceil_div(p.n, static_cast<std::int64_t>(items)) * items, static_cast<std::size_t>(p.m)},
          .local = {items, 1}};
}

}  // namespace

TrsmBlockSolver::TrsmBlockSolver(const Engine& engine, const TrsmSystem& system)
    : system_(system),
      shape_(trsm_shape(system.problem.type, system.order, engine.profile())),
      pack_(engine),
      solve_(engine),
      update_(engine),
      clear_(engine) {
  compile(engine, pack_, pack_launch(system_, shape_, blocks(), packed_stride()));
  compile(engine, solve_, solve_launch(system_, shape_, packed_stride()));
  if (updates_rows()) compile(engine, update_, update_launch(system_, shape_));
  compile(engine, clear_, clear_launch(system_, clear_items(engine.profile())));
}

// Systems that share A share one packed copy of its blocks.
std::uint64_t TrsmBlockSolver::packed_stride() const {
  return system_.problem.batch.stride_a == 0 ? 0 : blocks() * block() * block();
}

std::uint64_t TrsmBlockSolver::packed_bytes() const {
  const std::uint64_t copies = system_.problem.batch.stride_a == 0 ? 1 : system_.problem.batch.count;
  return bytes_of(copies, blocks() * block() * block(), size_of(system_.problem.type));
}

void TrsmBlockSolver::compile(const Engine& engine, LaunchSequence& sequence, Launch launch) {
  const DeviceProfile& device = engine.profile();
  const std::uint64_t count = system_.problem.batch.count;
  const bool is_pack = &sequence == &pack_;
  const std::uint64_t systems = is_pack && system_.problem.batch.stride_a == 0 ? 1 : count;
  sequence.build(engine, source_of(system_, shape_, device),
                 in_grids({std::move(launch)}, systems, device.max_work_groups),
                 {.scalar_type = system_.problem.type, .wide_index = true, .batch_count = systems});
}

void TrsmBlockSolver::pack(CommandChain& chain, const MatrixRef& a, const MatrixRef& packed) {
  pack_.run(chain, {.matrices = {a, packed}});
}

void TrsmBlockSolver::solve(CommandChain& chain, std::uint64_t which, std::complex<double> alpha,
                            const MatrixRef& packed, const MatrixRef& b, bool event) {
  const std::uint64_t first = which * block(), rows = std::min(block(), system_.order - first);
  const std::uint64_t first_solved = system_.is_upper ? first + rows - 1 : first;
  solve_.run(chain,
             {.size = rows,
              .scalars = {alpha},
              .matrices = {MatrixRef{packed.buffer, packed.offset + which * block() * block()},
                           MatrixRef{b.buffer, b.offset + first_solved * system_.b_row_step}}},
             event);
}

void TrsmBlockSolver::update(CommandChain& chain, std::uint64_t rest, std::complex<double> factor, const MatrixRef& a,
                             const MatrixRef& b, bool event) {
  update_.run(chain, {.size = rest, .scalars = {factor}, .matrices = {a, b}}, event);
}

void TrsmBlockSolver::clear(CommandChain& chain, const MatrixRef& b, bool event) {
  clear_.run(chain, {.matrices = {b}}, event);
}

}  // namespace tilewright::detail
