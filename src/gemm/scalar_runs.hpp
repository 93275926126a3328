#pragma once

#include <vector>

#include "gemm/problem.hpp"
#include "kernels/launch_sequence.hpp"

namespace tilewright::detail {

/// Checks that a call gives as many alphas and betas as there are products, or none, and such as its type has: real
/// ones where the problem is real, whole ones where it is of integers. Throws Error(invalid_batch, invalid_scalar).
void check_scalars(const GemmProblem& problem, const GemmOperands& operands);

/// The scalars of a call, and what they make it read. Products that follow one another and have the same ones are a
/// run. Where alpha or k is 0, the kernels are given 0 for both: not infinity or NaN times an empty sum. Those of a
/// complex problem are as core_scalars() says.
class ScalarRuns {
 public:
  /// `depth`: how far sums of the core problem go.
  ScalarRuns(const GemmProblem& problem, std::uint64_t depth, const GemmOperands& operands);

  bool read_inputs() const { return read_inputs_; }
  bool read_c() const { return read_c_; }
  bool change_c() const { return change_c_; }

  /// Where all products have the same: depth and scalars of the call.
  CallValues values() const { return {.depth = all_.depth, .scalars = all_.scalars}; }
  /// Where they do not: those runs that change C. Empty where all have the same.
  const std::vector<ProblemRun>& runs() const { return runs_; }

 private:
  void note(const ProblemRun& run);
  bool changes_c(const ProblemRun& run) const;

  bool epilogue_;  // whether all of C changes
  ProblemRun all_{};
  std::vector<ProblemRun> runs_;
  bool read_inputs_ = false, read_c_ = false, change_c_ = false;
};

}  // namespace tilewright::detail
