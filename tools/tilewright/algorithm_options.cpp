#include "algorithm_options.hpp"

#include <CLI/CLI.hpp>

#include "option_values.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {

void AlgorithmOptions::add_to(CLI::App& command) {
  command
      .add_option("--algorithm", name,
                  "gemm, or strassen: fewer products of f32 or f64, with an error bound by norms that is weaker")
      ->check(one_of("algorithm", {"gemm", "strassen"}))
      ->capture_default_str();
  command
      .add_option("--levels", levels,
                  "with --algorithm strassen: how often sizes are halved; without it as often as is expected to pay")
      ->transform(whole_number(0, max_strassen_levels));
}

StrassenProblem AlgorithmOptions::strassen_problem(const GemmProblem& product) const {
  return {.product = product, .levels = levels};
}

void AlgorithmOptions::check_with(const std::string& operation) const {
  if (is_strassen() && operation != "gemm") throw UsageError("--algorithm strassen is for --op gemm alone");
  if (levels && !is_strassen()) throw UsageError("--levels is for --algorithm strassen alone");
}

}  // namespace tilewright::tool
