#include "cholesky/potrf_state.hpp"

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/choice_check.hpp"

namespace tilewright {

using namespace detail;

PotrfPlan::State::State(const Engine& engine, const PotrfProblem& problem, const Choice& choice)
    : PlanState(engine, problem), system_(potrf_system(problem, engine.profile())) {
  if (system_.problem.n > 0 && system_.problem.batch.count > 0) {
    runner_ = std::make_unique<StepRunner>(engine, system_, DiagonalTask::factor, choice);
    reserve_workspace(engine, runner_->workspace_bytes());
  }
  explanation_ = explained();
  if (explanation_.parts.empty()) check_choice(engine, asked_.type, choice);
}

Explanation PotrfPlan::State::explained() const {
  Explanation result{.problem = problem_text("potrf", to_string(asked_.type), {asked_.n})};
  if (runner_)
    runner_->explain(result);
  else
    result.reason = "nothing to factor: A has no elements";
  return result;
}

Event PotrfPlan::State::enqueue(cl_command_queue queue, const PotrfOperands& operands,
                                std::span<const cl_event> waits) {
  check_call(queue, waits);
  check_potrf_operands(context_, system_, operands, workspace_bytes_);
  if (system_.problem.batch.count == 0) return enqueue_marker(queue, waits);
  if (!runner_) return enqueue_zero_infos(queue, operands, waits);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  runner_->run(chain, operands.a, operands.info, operands.event);
  Event last = chain.finish();
  note_enqueued(lock, was_enqueued_, runner_->program());
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

}  // namespace tilewright
