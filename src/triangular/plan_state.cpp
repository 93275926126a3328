#include "triangular/plan_state.hpp"

#include <algorithm>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/sizes.hpp"

namespace tilewright {

using namespace detail;

TrsmPlan::State::State(const Engine& engine, const TrsmProblem& problem, const Choice& products)
    : context_(engine.state().context()),
      device_(engine.state().device()),
      programs_(engine.state().programs()),
      arena_(engine.state().shared_part<WorkspaceArena>()),
      asked_(problem),
      system_(trsm_system(problem, engine.profile())) {
  process().check();
  if (system_.empty()) return;
  solver_ = std::make_unique<TrsmBlockSolver>(engine, system_);
  plan_steps(engine, products);
}

void TrsmPlan::State::plan_steps(const Engine& engine, const Choice& products) {
  steps_ =
      solver_->updates_rows() ? trsm_steps_by_rows(system_, solver_->block()) : trsm_steps(system_, solver_->block());
  packed_bytes_ = rounded_up(solver_->packed_bytes(), static_cast<std::int64_t>(workspace_alignment));
  std::uint64_t most = 0;
  for (const GemmProblem& problem : steps_.products) {
    products_.emplace_back(engine, problem, products);
    most = std::max(most, products_.back().workspace_bytes());
  }
  workspace_bytes_ = packed_bytes_ + most;
  if (workspace_bytes_ > engine.profile().max_allocation_bytes)
    throw Error(
        ErrorCode::out_of_memory, OperandName::workspace,
        "a workspace of " + std::to_string(workspace_bytes_) + " bytes is more than the device allocates at once");
  arena_->reserve(context_, workspace_bytes_, false);
}

Event TrsmPlan::State::enqueue(cl_command_queue queue, const TrsmOperands& operands, std::span<const cl_event> waits) {
  process().check();
  check_queue(context_, device_, queue, waits);
  check_trsm_operands(context_, system_, operands, workspace_bytes_);
  if (!solver_) return enqueue_marker(queue, waits);
  const double alpha = trsm_scalar(system_, operands.alpha);
  const std::lock_guard lock(mutex_);
  if (alpha == 0) return solver_->clear(queue, operands.b, waits, operands.event);

  CommandChain chain(queue, waits, operands.workspace, arena_.get());
  const WorkspaceRef workspace = chain.workspace();
  const MatrixRef packed{workspace.buffer, workspace.offset / size_of(system_.problem.type)};
  const WorkspaceRef of_products{workspace.buffer, workspace.offset + packed_bytes_};
  chain.add([&](auto after, bool event) { return solver_->pack(queue, operands.a, packed, after, event); });
  for (const TrsmStep& step : steps_.steps) {
    const double factor = step.scales ? alpha : 1;
    const auto run = [&](std::span<const cl_event> after, bool event) {
      using enum TrsmStep::Kind;
      switch (step.kind) {
        case solve:
          return solver_->solve(queue, step.block, factor, packed, operands.b, after, event);
        case update:
          return solver_->update(queue, step.rest, factor, operands.a, operands.b, after, event);
        case product:
          break;
      }
      return multiply(queue, step, operands, factor, of_products, after, event);
    };
    chain.add(run, operands.event && &step == &steps_.steps.back());
  }
  if (!std::exchange(was_enqueued_, true)) programs_->enqueued(solver_->program());
  return chain.finish();
}

Event TrsmPlan::State::multiply(cl_command_queue queue, const TrsmStep& step, const TrsmOperands& operands,
                                double factor, const WorkspaceRef& workspace, std::span<const cl_event> waits,
                                bool event) const {
  const GemmPlan& plan = products_[step.product];
  const MatrixRef triangle{operands.a.buffer, operands.a.offset + step.a};
  const MatrixRef solved{operands.b.buffer, operands.b.offset + step.solved};
  const bool is_left = system_.problem.side == Side::left;
  GemmOperands call{.alpha = -1,
                    .a = is_left ? triangle : solved,
                    .b = is_left ? solved : triangle,
                    .beta = factor,
                    .c = {operands.b.buffer, operands.b.offset + step.rest},
                    .event = event};
  if (plan.workspace_bytes() > 0) call.workspace = workspace;
  return plan.enqueue(queue, call, waits);
}

}  // namespace tilewright
