#include "cholesky/potrf_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/sizes.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

using namespace detail;

PotrfPlan::State::State(const Engine& engine, const PotrfProblem& problem, const Choice& choice)
    : PlanState(engine, problem), system_(potrf_system(problem, engine.profile())) {
  if (system_.problem.n > 0 && system_.problem.batch.count > 0) {
    kernels_ = std::make_unique<PotrfKernels>(engine, system_);
    plan_steps(engine, choice);
  }
  explanation_ = explained();
}

void PotrfPlan::State::plan_steps(const Engine& engine, const Choice& choice) {
  const std::uint64_t block = kernels_->block();
  steps_ = potrf_steps(system_, block);
  const std::uint64_t tiles = steps_.max_tiles * block * block;
  tile_bytes_ = rounded_up(bytes_of(system_.problem.batch.count, tiles, size_of(system_.problem.type)),
                           static_cast<std::int64_t>(workspace_alignment));
  std::uint64_t plan_bytes = 0;
  for (const TrsmProblem& problem : steps_.solves) {
    solves_.emplace_back(engine, problem, choice);
    plan_bytes = std::max(plan_bytes, solves_.back().workspace_bytes());
  }
  for (const GemmProblem& problem : steps_.products) {
    products_.emplace_back(engine, problem, choice);
    plan_bytes = std::max(plan_bytes, products_.back().workspace_bytes());
  }
  for (const PotrfStep& step : steps_.steps)
    if (step.kind == PotrfStep::Kind::subtract) kernels_->prepare_subtract(engine, step.plan, tiles);
  reserve_workspace(engine, tile_bytes_ + plan_bytes);
}

Explanation PotrfPlan::State::explained() const {
  Explanation result{.problem = problem_text("potrf", to_string(asked_.type), {asked_.n})};
  if (!kernels_) {
    result.reason = "nothing to factor: A has no elements";
    return result;
  }
  const std::uint64_t blocks = ceil_div(asked_.n, static_cast<std::int64_t>(kernels_->block()));
  result.reason = std::to_string(blocks) + (blocks == 1 ? " diagonal block" : " diagonal blocks") + " of at most " +
                  std::to_string(kernels_->block()) + " rows, factored by " + kernels_->file();
  for (const TrsmPlan& solve : solves_) add_part(result, solve.explanation());
  for (const GemmPlan& product : products_) add_part(result, product.explanation());
  return result;
}

Event PotrfPlan::State::enqueue(cl_command_queue queue, const PotrfOperands& operands,
                                std::span<const cl_event> waits) {
  check_call(queue, waits);
  check_potrf_operands(context_, system_, operands, workspace_bytes_);
  if (system_.problem.batch.count == 0) return enqueue_marker(queue, waits);
  if (!kernels_) return enqueue_zero_infos(queue, operands, waits);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  for (const PotrfStep& step : steps_.steps)
    run(step, chain, operands, operands.event && &step == &steps_.steps.back());
  Event last = chain.finish();
  note_enqueued(lock, was_enqueued_, kernels_->program());
  return last;
}

// Matrices without elements are positive definite.
Event PotrfPlan::State::enqueue_zero_infos(cl_command_queue queue, const PotrfOperands& operands,
                                           std::span<const cl_event> waits) {
  const std::uint64_t count = system_.problem.batch.count, stride = system_.problem.batch.stride_info;
  const std::uint64_t fills = stride == 1 ? 1 : count, length = stride == 1 ? count : 1;
  CommandChain chain(queue, waits, *arena_);
  for (std::uint64_t i = 0; i < fills; ++i)
    chain.add(
        [&](std::span<const cl_event> after, bool event) {
          return enqueue_zeros(queue, operands.info.buffer, (operands.info.offset + i * stride) * sizeof(cl_long),
                               length * sizeof(cl_long), after, event);
        },
        operands.event && i + 1 == fills);
  return chain.finish();
}

void PotrfPlan::State::run(const PotrfStep& step, CommandChain& chain, const PotrfOperands& operands, bool event) {
  const auto part = [&](std::uint64_t offset) { return MatrixRef{operands.a.buffer, operands.a.offset + offset}; };
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef tile_products{buffer, offset / size_of(system_.problem.type)};
  const WorkspaceRef plan_workspace{buffer, offset + tile_bytes_};
  using enum PotrfStep::Kind;
  switch (step.kind) {
    case factor:
      return kernels_->factor(chain, step.rows, part(step.c), operands.info, event);
    case subtract:
      return kernels_->subtract(chain, step.plan, step.rows, part(step.c), tile_products, event);
    case solve:
      return chain.plan(solves_[step.plan], TrsmOperands{.a = part(step.a), .b = part(step.c)}, plan_workspace, event);
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
      plan_workspace, event);
}

}  // namespace tilewright
