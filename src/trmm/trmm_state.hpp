// The state of a TrmmPlan: the plan of one product, or the kernel for the diagonal blocks and the plans of the products
// between blocks.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "kernels/plans/plan_state.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/transpose.hpp"
#include "trmm/block_multiplier.hpp"
#include "trmm/steps.hpp"

namespace tilewright {

class TrmmPlan::State : public detail::PlanState<TrmmProblem> {
 public:
  State(const Engine& engine, const TrmmProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TrmmOperands& operands, std::span<const cl_event> waits);

 private:
  void prepare(const Engine& engine, const Choice& choice);
  void reserve(const Engine& engine);
  bool plan_whole(const Engine& engine, const Choice& choice);
  bool plan_copy(const Engine& engine, const Choice& choice, const detail::TrmmShape& shape);
  bool plan_range(const Engine& engine, const Choice& choice, detail::TrmmShape& shape);
  void plan_levels(const Engine& engine, const Choice& choice, const detail::TrmmShape& shape);
  std::string reason_for(const detail::TrmmShape& shape) const;
  void run_steps(detail::CommandChain& chain, const TrmmOperands& operands, std::complex<double> alpha);
  void multiply(detail::CommandChain& chain, const detail::TrmmStep& step, const TrmmOperands& operands,
                const MatrixRef& copy, bool event) const;

  detail::TrmmSystem system_;
  detail::TrmmSteps steps_;
  std::vector<GemmPlan> products_;
  std::uint64_t copy_bytes_ = 0;                             // first part of the workspace; the products use the rest
  std::optional<TransposePlan> copier_;                      // of B, for one product with the copy
  std::unique_ptr<detail::TrmmBlockMultiplier> multiplier_;  // null: nothing to do, or by one product
};

}  // namespace tilewright
