// The state of a TrsmPlan: the kernels for the diagonal blocks, and the plans of the products between blocks.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "kernels/plans/plan_state.hpp"
#include "tilewright/gemm.hpp"
#include "triangular/block_solver.hpp"
#include "triangular/few_lines.hpp"
#include "triangular/small_solver.hpp"
#include "triangular/steps.hpp"

namespace tilewright {

class TrsmPlan::State : public detail::PlanState<TrsmProblem> {
 public:
  State(const Engine& engine, const TrsmProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TrsmOperands& operands, std::span<const cl_event> waits);

 private:
  void plan_steps(const Engine& engine, const Choice& choice);
  Explanation explained() const;
  const cl::Program& program() const;
  void solve_blocks(detail::CommandChain& chain, const TrsmOperands& operands, std::complex<double> alpha);
  void multiply(detail::CommandChain& chain, const detail::TrsmStep& step, const TrsmOperands& operands,
                std::complex<double> factor, bool event) const;

  detail::TrsmSystem system_;
  detail::TrsmSteps steps_;
  std::vector<GemmPlan> products_;
  std::uint64_t packed_bytes_ = 0;  // first part of the workspace; the products use the rest
  // One of them solves the systems; all are null if there is nothing to do.
  std::unique_ptr<detail::TrsmBlockSolver> solver_;
  std::unique_ptr<detail::SmallTrsmSolver> small_solver_;
  std::unique_ptr<detail::FewLinesSolver> few_lines_;
};

}  // namespace tilewright
