// The state of a PotrfPlan: the steps of the factorisation.
#pragma once

#include <memory>

#include "cholesky/step_runner.hpp"
#include "kernels/plans/plan_state.hpp"

namespace tilewright {

class PotrfPlan::State : public detail::PlanState<PotrfProblem> {
 public:
  State(const Engine& engine, const PotrfProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits);

 private:
  Explanation explained() const;
  Event enqueue_zero_infos(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits);

  detail::PotrfSystem system_;
  std::unique_ptr<detail::StepRunner> runner_;  // null: nothing to factor
};

}  // namespace tilewright
