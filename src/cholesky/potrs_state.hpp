// The state of a PotrsPlan: two triangular systems, in one launch or one after another.
#pragma once

#include <optional>

#include "cholesky/problem.hpp"
#include "kernels/plans/plan_state.hpp"
#include "tilewright/triangular.hpp"
#include "triangular/few_lines.hpp"

namespace tilewright {

class PotrsPlan::State : public detail::PlanState<PotrsProblem> {
 public:
  State(const Engine& engine, const PotrsProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PotrsOperands& operands, std::span<const cl_event> waits);

 private:
  std::optional<detail::FewLinesSolver> few_lines_;  // both systems in one launch; otherwise the plans solve them
  std::optional<TrsmPlan> first_, second_;
};

}  // namespace tilewright
