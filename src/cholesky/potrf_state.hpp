// The state of a PotrfPlan: the kernels for diagonal blocks, and the plans of systems and products between blocks.
#pragma once

#include <memory>
#include <vector>

#include "cholesky/block_kernels.hpp"
#include "cholesky/steps.hpp"
#include "kernels/plans/plan_state.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

class PotrfPlan::State : public detail::PlanState<PotrfProblem> {
 public:
  State(const Engine& engine, const PotrfProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits);

 private:
  void plan_steps(const Engine& engine, const Choice& choice);
  Explanation explained() const;
  Event enqueue_zero_infos(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits);
  void run(const detail::PotrfStep& step, detail::CommandChain& chain, const PotrfOperands& operands, bool event);

  detail::PotrfSystem system_;
  detail::PotrfSteps steps_;
  std::vector<TrsmPlan> solves_;
  std::vector<GemmPlan> products_;
  std::uint64_t tile_bytes_ = 0;                   // first part of the workspace; the plans use the rest
  std::unique_ptr<detail::PotrfKernels> kernels_;  // null: nothing to factor
};

}  // namespace tilewright
