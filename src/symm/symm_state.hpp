// The state of a SymmPlan: the plan of one product that packs A from its triangle, or the kernel that expands parts of
// A and the plans of the products.
#pragma once

#include <vector>

#include "kernels/plans/plan_state.hpp"
#include "symm/steps.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

class SymmPlan::State : public detail::PlanState<SymmProblem> {
 public:
  State(const Engine& engine, const SymmProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const SymmOperands& operands, std::span<const cl_event> waits);

 private:
  void prepare(const Engine& engine, const Choice& choice);
  bool plan_whole(const Engine& engine, const Choice& choice);
  void plan_blocks(const Engine& engine, const Choice& choice);
  void compile(const Engine& engine);

  detail::SymmSystem system_;
  detail::SymmBlocks blocks_;
  detail::SymmSteps steps_;
  detail::LaunchSequence expand_;
  std::vector<GemmPlan> products_;    // empty: nothing to do
  std::uint64_t expanded_bytes_ = 0;  // of blocks_: first part of the workspace; the products use the rest
};

}  // namespace tilewright
