#pragma once

#include <vector>

#include "gemm/problem.hpp"
#include "kernels/launch_sequence.hpp"
#include "tilewright/gemm_operands.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// Checks the alphas and betas of a call: one per product or none, real if the problem is real, integers if its sums
/// are. Throws Error(invalid_batch, invalid_scalar).
void check_scalars(const GemmProblem& problem, const GemmOperands& operands);

/// The scalars of a call, and the operands that they make it read. A run is a sequence of consecutive products with
/// equal scalars. If alpha or k is 0, kernels get 0 for both, so that infinity or NaN is not multiplied by an empty
/// sum. The scalars of a complex problem are those of core_scalars().
class ScalarRuns {
 public:
  /// `depth`: k of the core problem.
  ScalarRuns(const GemmProblem& problem, std::uint64_t depth, const GemmOperands& operands);

  bool read_inputs() const { return read_inputs_; }
  bool read_c() const { return read_c_; }
  bool change_c() const { return change_c_; }

  /// If all products have equal scalars: the depth and these scalars.
  CallValues values() const { return {.size = all_.size, .scalars = all_.scalars}; }
  /// If they differ: the runs that change C. Empty if all are equal.
  const std::vector<ProblemRun>& runs() const { return runs_; }

 private:
  void note(const ProblemRun& run);
  bool changes_c(const ProblemRun& run) const;

  bool epilogue_;  // whether the epilogue changes all of C
  ProblemRun all_{};
  std::vector<ProblemRun> runs_;
  bool read_inputs_ = false, read_c_ = false, change_c_ = false;
};

}  // namespace tilewright::detail
