// The state of a PosvPlan: a factorisation and a solution.
#pragma once

#include "cholesky/problem.hpp"
#include "kernels/plans/plan_state.hpp"

namespace tilewright {

class PosvPlan::State : public detail::PlanState<PosvProblem> {
 public:
  State(const Engine& engine, const PosvProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PosvOperands& operands, std::span<const cl_event> waits) const;

 private:
  detail::PotrfSystem system_;
  PotrfPlan factor_;
  PotrsPlan solve_;
};

}  // namespace tilewright
