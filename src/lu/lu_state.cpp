#include "lu/lu_state.hpp"

#include <algorithm>
#include <utility>

#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/choice_check.hpp"
#include "kernels/sizes.hpp"
#include "lu/lu_checks.hpp"
#include "lu/lu_explanation.hpp"

namespace tilewright::detail {

LuState::LuState(const Engine& engine, const LuProblem& problem, const Choice& choice)
    : PlanBase(engine), problem_(completed(problem, engine.profile())) {
  check_problem(problem_);
  if (!is_empty(problem_)) plan_steps(engine, choice);
  explain();
  if (explanation_.parts.empty() && problem_.task != LuTask::det) check_choice(engine, problem_.type, choice);
  reserve_workspace(engine, workspace_bytes_);
}

void LuState::plan_steps(const Engine& engine, const Choice& choice) {
  if (problem_.refinements != 0) {
    refinement_.emplace(engine, problem_, choice);
    workspace_bytes_ = refinement_->workspace_bytes();
    return;
  }
  const LuUse use = use_of(problem_.task);
  kernels_.emplace(engine, problem_);
  std::uint64_t shared = 0;  // steps run one after another, and share a part of the workspace
  if (use.factors) {
    factorisation_.emplace(engine, problem_, kernels_->shape(), choice);
    subpanel_bytes_ = rounded_up(kernels_->subpanel_bytes(problem_.m), static_cast<std::int64_t>(workspace_alignment));
    shared = factorisation_->workspace_bytes();
  }
  if (use.solves || use.inverts) {
    solution_.emplace(engine, problem_, kernels_->shape(), choice);
    shared = std::max(shared, solution_->workspace_bytes());
  }
  workspace_bytes_ = subpanel_bytes_ + shared;
}

void LuState::explain() {
  explanation_.problem = problem_text(problem_);
  if (refinement_) return refinement_->explain(explanation_);
  if (!kernels_) return add_reason(explanation_, "the problem is empty, so that no kernel runs");
  if (factorisation_) factorisation_->explain(explanation_);
  if (solution_) solution_->explain(explanation_);
  if (use_of(problem_.task).determines)
    add_reason(explanation_, "one work-group per matrix reads the pivots and the diagonal of U");
}

Event LuState::enqueue(cl_command_queue queue, const LuOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  if (problem_.batch.count != 0) check_operands(context_, problem_, operands, workspace_bytes_);
  if (!kernels_ && !refinement_) return enqueue_marker(queue, waits);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  enqueue_steps(chain, operands);
  Event last = chain.finish(operands.event);
  if (refinement_)
    note_enqueued(lock, was_enqueued_, refinement_->kernels_program(), refinement_->program());
  else
    note_enqueued(lock, was_enqueued_, kernels_->program());
  return last;
}

void LuState::enqueue_steps(CommandChain& chain, const LuOperands& operands) const {
  const WorkspaceRef& workspace = chain.workspace();
  if (refinement_) return refinement_->enqueue(chain, operands, workspace);
  const LuProblem& p = problem_;
  const LuView a = view_of(operands.a, p.layout, p.lda, p.batch.stride_a);
  const LuIntegers pivots{operands.pivots, p.batch.stride_pivots}, info{operands.info, p.batch.stride_info};
  const WorkspaceRef shared{workspace.buffer, workspace.offset + subpanel_bytes_};
  if (factorisation_) factorisation_->enqueue(chain, *kernels_, a, pivots, info, workspace, shared);
  if (solution_)
    solution_->enqueue(chain, *kernels_, a, pivots, view_of(operands.b, p.layout, p.ldb, p.batch.stride_b), shared);
  if (use_of(p.task).determines)
    kernels_->determinant(chain, a, p.n, pivots, {operands.determinant, p.batch.stride_determinant});
}

}  // namespace tilewright::detail
