#pragma once

#include <cstdint>
#include <vector>

#include "gemm/problem.hpp"

namespace tilewright::detail {

/// Products of a batch that follow one another and have the same scalars.
struct ScalarRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  double alpha = 0;  ///< 0 where A and B are not read; a scalar too small for the problem's type is 0, too
  double beta = 0;

  bool reads_inputs() const { return alpha != 0; }
  bool reads_c() const { return beta != 0; }
  bool changes_c() const { return reads_inputs() || beta != 1; }
};

/// Checks that a call gives as many alphas and betas as there are products, or none. Throws Error(invalid_batch).
void check_scalar_counts(const GemmProblem& problem, const GemmScalars& scalars);

/// The products of a call in runs. There must be one product at least.
std::vector<ScalarRun> scalar_runs(const GemmProblem& problem, const GemmOperands& operands);

}  // namespace tilewright::detail
