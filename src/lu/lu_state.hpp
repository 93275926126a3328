// The shared implementation of GetrfPlan, GetrsPlan, GesvPlan, GetriPlan and DetPlan.
#pragma once

#include <optional>
#include <span>

#include "kernels/plans/plan_state.hpp"
#include "lu/lu_refinement.hpp"

namespace tilewright::detail {

/// One task of LU with its kernels compiled. Thread-safe.
class LuState : public PlanBase {
 public:
  LuState(const Engine& engine, const LuProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const LuOperands& operands, std::span<const cl_event> waits);

 private:
  void plan_steps(const Engine& engine, const Choice& choice);
  void explain();
  void enqueue_steps(CommandChain& chain, const LuOperands& operands) const;

  LuProblem problem_;
  // Neither of these two exists if the problem is empty.
  std::optional<LuRefinement> refinement_;
  std::optional<LuKernels> kernels_;
  std::optional<LuFactorisation> factorisation_;
  std::optional<LuSolution> solution_;
  std::uint64_t subpanel_bytes_ = 0;
};

/// The state of a public plan.
template <class Problem>
class LuPlanState : public PlanState<Problem, LuState> {
 public:
  LuPlanState(const Engine& engine, const Problem& problem, const Choice& choice)
      : PlanState<Problem, LuState>(engine, problem, lu_problem(problem), choice) {}

  template <class Operands>
  Event enqueue(cl_command_queue queue, const Operands& operands, std::span<const cl_event> waits) {
    return LuState::enqueue(queue, lu_operands(operands), waits);
  }
};

}  // namespace tilewright::detail
