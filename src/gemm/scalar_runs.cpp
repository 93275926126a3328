#include "gemm/scalar_runs.hpp"

#include <string>

#include "gemm/complex_operands.hpp"
#include "gemm/epilogue.hpp"
#include "gemm/slots.hpp"
#include "kernels/host_type.hpp"
#include "kernels/scalars.hpp"

namespace tilewright::detail {
namespace {

// The values of a call's alpha or beta.
struct Values {
  const char* name;
  Scalar of_call;
  std::span<const Scalar> each;

  const Scalar& operator[](std::uint64_t product) const { return each.empty() ? of_call : each[product]; }
  bool is_same() const { return each.empty(); }
};

Values alphas_of(const GemmOperands& operands) { return {"alpha", operands.alpha, operands.scalars.alpha}; }
Values betas_of(const GemmOperands& operands) { return {"beta", operands.beta, operands.scalars.beta}; }

void check_values(const GemmProblem& problem, const Values& values) {
  if (const std::size_t count = values.each.size(); count != 0 && count != problem.batch.count)
    throw Error(ErrorCode::invalid_batch, "there are " + std::to_string(count) + " values of " + values.name +
                                              ", but the batch has " + std::to_string(problem.batch.count) +
                                              " products");
  if (values.is_same()) return check_scalar(problem.type, values.name, values.of_call);
  for (std::uint64_t x = 0; x < problem.batch.count; ++x) check_scalar(problem.type, values.name, values[x]);
}

// beta of the core problem: 1 if C is multiplied beforehand.
double beta_of(const ProblemRun& run) { return run.scalars[gemm_slots::beta.value].real(); }
bool multiplies_c(const ProblemRun& run) { return run.scalars[gemm_slots::scale_im.value] != 0.0; }

CallScalars scalars_of(const GemmProblem& problem, const Scalar& alpha, const Scalar& beta) {
  if (is_complex(problem.type)) return core_scalars(alpha.value(), beta.value());
  return {alpha.real(), beta.real()};
}

ProblemRun run_of(const GemmProblem& problem, std::uint64_t first, std::uint64_t count, std::uint64_t depth,
                  Scalar alpha, Scalar beta) {
  alpha = rounded(problem.type, alpha);
  beta = rounded(problem.type, beta);
  check_beta(problem.type, type_of_c(problem), beta);
  const bool reads = depth != 0 && alpha != Scalar(0);
  return {first, count, reads, reads ? depth : 0,
          scalars_of(problem, reads ? alpha : Scalar(0), beta == Scalar(0) ? Scalar(0) : beta)};
}

}  // namespace

void check_scalars(const GemmProblem& problem, const GemmOperands& operands) {
  check_values(problem, alphas_of(operands));
  check_values(problem, betas_of(operands));
}

ScalarRuns::ScalarRuns(const GemmProblem& problem, std::uint64_t depth, const GemmOperands& operands)
    : epilogue_(has_epilogue(problem.epilogue)) {
  const Values alphas = alphas_of(operands), betas = betas_of(operands);
  if (alphas.is_same() && betas.is_same()) {
    all_ = run_of(problem, 0, problem.batch.count, depth, operands.alpha, operands.beta);
    note(all_);
    return;
  }
  for (std::uint64_t x = 0; x < problem.batch.count; ++x) {
    const ProblemRun next = run_of(problem, x, 1, depth, alphas[x], betas[x]);
    if (!runs_.empty() && next.size == runs_.back().size && next.scalars == runs_.back().scalars)
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
  return epilogue_ || run.reads_inputs || beta_of(run) != 1 || multiplies_c(run);
}

void ScalarRuns::note(const ProblemRun& run) {
  read_inputs_ = read_inputs_ || run.reads_inputs;
  read_c_ = read_c_ || beta_of(run) != 0;
  change_c_ = change_c_ || changes_c(run);
}

}  // namespace tilewright::detail
