// The state of a PotriPlan: the steps of the inversion.
#pragma once

#include <memory>

#include "cholesky/step_runner.hpp"
#include "kernels/plans/plan_state.hpp"
#include "tilewright/cholesky_inverse.hpp"

namespace tilewright {

class PotriPlan::State : public detail::PlanState<PotriProblem> {
 public:
  State(const Engine& engine, const PotriProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PotriOperands& operands, std::span<const cl_event> waits);

 private:
  detail::PotrfSystem system_;
  std::unique_ptr<detail::StepRunner> runner_;  // null: nothing to invert
};

}  // namespace tilewright
