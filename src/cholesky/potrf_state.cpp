#include "cholesky/potrf_state.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/sizes.hpp"

namespace tilewright {

using namespace detail;

PotrfPlan::State::State(const Engine& engine, const PotrfProblem& problem, const Choice& products)
    : context_(state_of(engine).context()),
      device_(state_of(engine).device()),
      programs_(state_of(engine).programs()),
      arena_(state_of(engine).shared_part<WorkspaceArena>()),
      asked_(problem),
      system_(potrf_system(problem, engine.profile())) {
  process().check();
  if (system_.problem.n == 0 || system_.problem.batch.count == 0) return;
  kernels_ = std::make_unique<PotrfKernels>(engine, system_);
  plan_steps(engine, products);
}

void PotrfPlan::State::plan_steps(const Engine& engine, const Choice& products) {
  const std::uint64_t block = kernels_->block();
  steps_ = potrf_steps(system_, block);
  const std::uint64_t tiles = steps_.max_tiles * block * block;
  tile_bytes_ = rounded_up(bytes_of(system_.problem.batch.count, tiles, size_of(system_.problem.type)),
                           static_cast<std::int64_t>(workspace_alignment));
  std::uint64_t most = 0;
  for (const TrsmProblem& problem : steps_.solves) {
    solves_.emplace_back(engine, problem, products);
    most = std::max(most, solves_.back().workspace_bytes());
  }
  for (const GemmProblem& problem : steps_.products) {
    products_.emplace_back(engine, problem, products);
    most = std::max(most, products_.back().workspace_bytes());
  }
  for (const PotrfStep& step : steps_.steps)
    if (step.kind == PotrfStep::Kind::subtract) kernels_->prepare_subtract(engine, step.plan, tiles);
  workspace_bytes_ = tile_bytes_ + most;
  reserve_workspace(*arena_, engine, workspace_bytes_);
}

void PotrfPlan::State::check(cl_command_queue queue, const PotrfOperands& operands,
                             std::span<const cl_event> waits) const {
  process().check();
  check_queue(context_, device_, queue, waits);
  check_potrf_operands(context_, system_, operands, workspace_bytes_);
}

Event PotrfPlan::State::enqueue(cl_command_queue queue, const PotrfOperands& operands,
                                std::span<const cl_event> waits) {
  check(queue, operands, waits);
  if (system_.problem.batch.count == 0) return enqueue_marker(queue, waits);
  if (!kernels_)  // matrices without elements are positive definite
    return enqueue_zeros(queue, operands.info.buffer, operands.info.offset * sizeof(cl_long),
                         system_.problem.batch.count * sizeof(cl_long), waits);
  const std::lock_guard lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  for (const PotrfStep& step : steps_.steps)
    run(step, chain, operands, operands.event && &step == &steps_.steps.back());
  if (!std::exchange(was_enqueued_, true)) programs_->enqueued(kernels_->program());
  return chain.finish();
}

void PotrfPlan::State::run(const PotrfStep& step, CommandChain& chain, const PotrfOperands& operands, bool event) {
  const auto part = [&](std::uint64_t offset) { return MatrixRef{operands.a.buffer, operands.a.offset + offset}; };
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef tile_products{buffer, offset / size_of(system_.problem.type)};
  const WorkspaceRef of_plans{buffer, offset + tile_bytes_};
  using enum PotrfStep::Kind;
  switch (step.kind) {
    case factor:
      return kernels_->factor(chain, step.rows, part(step.c), operands.info, event);
    case subtract:
      return kernels_->subtract(chain, step.plan, step.rows, part(step.c), tile_products, event);
    case solve:
      return chain.plan(solves_[step.plan], TrsmOperands{.a = part(step.a), .b = part(step.c)}, of_plans, event);
    case product:
    case tiles:
      break;
  }
  const bool is_tiles = step.kind == PotrfStep::Kind::tiles;
  const MatrixRef c = is_tiles ? MatrixRef{buffer, tile_products.offset + step.c} : part(step.c);
  chain.plan(
      products_[step.plan],
      GemmOperands{
          .alpha = is_tiles ? 1.0 : -1.0, .a = part(step.a), .b = part(step.b), .beta = is_tiles ? 0.0 : 1.0, .c = c},
      of_plans, event);
}

}  // namespace tilewright
