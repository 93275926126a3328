#pragma once

#include "kernels/plans/plan_state.hpp"
#include "transpose/variant.hpp"

namespace tilewright {

class TransposePlan::State : public detail::PlanState<TransposeProblem> {
 public:
  State(const Engine& engine, const TransposeProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TransposeOperands& operands, std::span<const cl_event> waits);

 private:
  bool compile(const Engine& engine, const detail::TransposeVariant& variant, const detail::ParameterValues& values);
  double checked_scalar(const Scalar& alpha) const;
  void check_operands(const TransposeOperands& operands, bool reads_a) const;

  TransposeProblem problem_;          // normalized
  std::uint64_t promised_alignment_;  // of the offsets
  bool scales_;                       // the device can compute in the type
  detail::LaunchSequence moves_;
  detail::LaunchSequence zeros_;  // for alpha = 0
};

}  // namespace tilewright
