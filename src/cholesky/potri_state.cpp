#include "cholesky/potri_state.hpp"

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/choice_check.hpp"

namespace tilewright {

using namespace detail;

PotriPlan::State::State(const Engine& engine, const PotriProblem& problem, const Choice& choice)
    : PlanState(engine, problem), system_(potri_system(problem, engine.profile())) {
  explanation_ = {.problem = problem_text("potri", to_string(problem.type), {problem.n})};
  if (problem.n == 0 || problem.batch.count == 0) {
    explanation_.reason = "nothing to invert: A has no elements";
  } else {
    runner_ = std::make_unique<StepRunner>(engine, system_, DiagonalTask::invert, choice);
    reserve_workspace(engine, runner_->workspace_bytes());
    runner_->explain(explanation_);
  }
  if (explanation_.parts.empty()) check_choice(engine, asked_.type, choice);
}

Event PotriPlan::State::enqueue(cl_command_queue queue, const PotriOperands& operands,
                                std::span<const cl_event> waits) {
  check_call(queue, waits);
  if (!runner_) return enqueue_marker(queue, waits);
  check_potri_operands(context_, system_, operands, workspace_bytes_);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  runner_->run(chain, operands.a, {}, operands.event);
  Event last = chain.finish();
  note_enqueued(lock, was_enqueued_, runner_->program());
  return last;
}

}  // namespace tilewright
