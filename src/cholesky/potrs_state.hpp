// The state of a PotrsPlan: two triangular systems.
#pragma once

#include "cholesky/problem.hpp"
#include "kernels/plans/plan_state.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright {

class PotrsPlan::State : public detail::PlanState<PotrsProblem> {
 public:
  State(const Engine& engine, const PotrsProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PotrsOperands& operands, std::span<const cl_event> waits) const;

 private:
  TrsmPlan first_, second_;
};

}  // namespace tilewright
