#include "gemm/scalar_runs.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "gemm/epilogue.hpp"
#include "kernels/host_type.hpp"

namespace tilewright::detail {
namespace {

void check_count(const GemmProblem& problem, std::size_t count, const char* name) {
  if (count != 0 && count != problem.batch.count)
    throw Error(ErrorCode::invalid_batch, std::to_string(count) + " values of " + name + " were given, but " +
                                              std::to_string(problem.batch.count) + " products are to be done");
}

// Integers are multiplied by integers.
void check_whole(double scalar, DataType type, const char* name) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (scalar == std::trunc(scalar) && scalar >= Limits::min() && scalar <= Limits::max()) return;
  throw Error(ErrorCode::invalid_scalar, std::string(name) + " is " + std::to_string(scalar) +
                                             ", but where A and B are " + std::string(to_string(type)) +
                                             " it must be a whole number from -2^31 to 2^31 - 1");
}

// What the kernel is given: a scalar that is too small for the type of the arithmetic is 0.
double rounded(double scalar, DataType type, const char* name) {
  if (is_integer(type)) check_whole(scalar, type, name);
  return with_host_type(accumulator_of(type),
                        [&]<class T>(std::type_identity<T>) { return static_cast<double>(static_cast<T>(scalar)); });
}

bool reads_inputs(const ProblemRun& run) { return run.depth != 0; }
bool reads_c(const ProblemRun& run) { return run.scalars[1] != 0; }

ProblemRun run_of(const GemmProblem& problem, std::uint64_t first, std::uint64_t count, double alpha, double beta) {
  alpha = rounded(alpha, problem.type, "alpha");
  beta = rounded(beta, problem.type, "beta");
  if (beta != 0 && become_floats(problem.type, type_of_c(problem)))
    throw Error(ErrorCode::invalid_scalar, "beta must be 0 where sums of " + std::string(to_string(problem.type)) +
                                               " are stored as " + std::string(to_string(type_of_c(problem))));
  const bool reads = problem.k != 0 && alpha != 0;
  return {first, count, reads ? problem.k : 0, {reads ? alpha : 0, beta == 0 ? 0 : beta}};
}

}  // namespace

void check_scalar_counts(const GemmProblem& problem, const GemmScalars& scalars) {
  check_count(problem, scalars.alpha.size(), "alpha");
  check_count(problem, scalars.beta.size(), "beta");
}

ScalarRuns::ScalarRuns(const GemmProblem& problem, const GemmOperands& operands)
    : epilogue_(has_epilogue(problem.epilogue)) {
  const auto alphas = operands.scalars.alpha, betas = operands.scalars.beta;
  if (alphas.empty() && betas.empty()) {
    all_ = run_of(problem, 0, problem.batch.count, operands.alpha, operands.beta);
    note(all_);
    return;
  }
  for (std::uint64_t x = 0; x < problem.batch.count; ++x) {
    const ProblemRun next =
        run_of(problem, x, 1, alphas.empty() ? operands.alpha : alphas[x], betas.empty() ? operands.beta : betas[x]);
    if (!runs_.empty() && next.depth == runs_.back().depth && next.scalars == runs_.back().scalars)
      ++runs_.back().count;
    else
      runs_.push_back(next);
  }
  for (const ProblemRun& run : runs_) note(run);
  if (runs_.size() == 1) {
    all_ = runs_.front();
    runs_.clear();
  }
  std::erase_if(runs_, [&](const ProblemRun& run) { return !changes_c(run); });
}

bool ScalarRuns::changes_c(const ProblemRun& run) const {
  return epilogue_ || reads_inputs(run) || run.scalars[1] != 1;
}

void ScalarRuns::note(const ProblemRun& run) {
  read_inputs_ = read_inputs_ || reads_inputs(run);
  read_c_ = read_c_ || reads_c(run);
  change_c_ = change_c_ || changes_c(run);
}

}  // namespace tilewright::detail
