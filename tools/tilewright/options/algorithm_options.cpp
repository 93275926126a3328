#include "options/algorithm_options.hpp"

#include <CLI/CLI.hpp>

#include "options/option_values.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {

void AlgorithmOptions::add_to(CLI::App& command) {
  command
      .add_option("--algorithm", name,
                  "gemm, or strassen: fewer multiplications for f32 and f64, with a weaker, norm-wise error bound")
      ->check(one_of("algorithm", {"gemm", "strassen"}))
      ->capture_default_str();
  command
      .add_option(
          "--levels", levels,
          "with --algorithm strassen: how many times to halve the sizes; without it the number expected to be fastest")
      ->transform(whole_number(0, max_strassen_levels));
}

StrassenProblem AlgorithmOptions::strassen_problem(const GemmProblem& product) const {
  return {.product = product, .levels = levels};
}

void AlgorithmOptions::check_with(const std::string& operation) const {
  if (is_strassen() && operation != "gemm")
    throw UsageError("--algorithm strassen works only with --op gemm; leave out one of them");
  if (levels && !is_strassen())
    throw UsageError("--levels works only with --algorithm strassen; add it, or leave out --levels");
}

}  // namespace tilewright::tool
