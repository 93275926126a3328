#include "gemm/scalar_runs.hpp"

#include <string>

namespace tilewright::detail {
namespace {

void check_count(const GemmProblem& problem, std::size_t count, const char* name) {
  if (count != 0 && count != problem.batch.count)
    throw Error(ErrorCode::invalid_batch, std::to_string(count) + " values of " + name + " were given, but " +
                                              std::to_string(problem.batch.count) + " products are to be done");
}

// What the kernel is given.
double rounded(double scalar, DataType type) {
  return type == DataType::f32 ? static_cast<double>(static_cast<float>(scalar)) : scalar;
}

}  // namespace

void check_scalar_counts(const GemmProblem& problem, const GemmScalars& scalars) {
  check_count(problem, scalars.alpha.size(), "alpha");
  check_count(problem, scalars.beta.size(), "beta");
}

std::vector<ScalarRun> scalar_runs(const GemmProblem& problem, const GemmOperands& operands) {
  const auto alphas = operands.scalars.alpha, betas = operands.scalars.beta;
  const auto run_of = [&](std::uint64_t x) {
    const double alpha = rounded(alphas.empty() ? operands.alpha : alphas[x], problem.type);
    const double beta = rounded(betas.empty() ? operands.beta : betas[x], problem.type);
    // Not infinity or NaN times an empty sum.
    return ScalarRun{x, 1, problem.k == 0 || alpha == 0 ? 0 : alpha, beta == 0 ? 0 : beta};
  };
  std::vector<ScalarRun> runs{run_of(0)};
  for (std::uint64_t x = 1; x < problem.batch.count; ++x) {
    const ScalarRun next = run_of(x);
    if (next.alpha == runs.back().alpha && next.beta == runs.back().beta) {
      ++runs.back().count;
    } else {
      runs.push_back(next);
    }
  }
  return runs;
}

}  // namespace tilewright::detail
