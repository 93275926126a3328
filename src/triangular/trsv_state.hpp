// The state of a TrsvPlan: the trsm of a matrix with one column, whose leading dimension is the increment.
#pragma once

#include <optional>

#include "kernels/plans/plan_state.hpp"
#include "triangular/problem.hpp"

namespace tilewright {

class TrsvPlan::State : public detail::PlanState<TrsvProblem> {
 public:
  State(const Engine& engine, const TrsvProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TrsvOperands& operands, std::span<const cl_event> waits);

 private:
  void check(const TrsvOperands& operands) const;
  Event enqueue_copied(cl_command_queue queue, const TrsvOperands& operands, std::span<const cl_event> waits);

  detail::TrsmSystem system_;
  TrsmPlan plan_;
  std::uint64_t copy_bytes_ = 0;  // first part of the workspace: copies of vectors; the plan uses the rest
  std::optional<detail::LaunchSequence> copy_in_, copy_out_;  // empty unless vectors are copied
};

}  // namespace tilewright
