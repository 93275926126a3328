// The outcome of a product of matrices in files: its report, and the delivery of C.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "commands/products/multiply_options.hpp"
#include "files/npy.hpp"
#include "text/progress.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm_problem.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::tool {

/// Results of a product.
struct ProductOutcome {
  GemmProblem problem;
  std::string variant;
  std::string configuration;
  double compile_seconds = 0;
  double first_result_seconds = 0;
  double seconds = 0;
  verification::Comparison comparison{};
  std::string structure{};  ///< of A, such as "symmetric, lower"; empty for a general matrix
  double work = 1;          ///< operations relative to a product of general matrices
};

/// Prints the report: text, or JSON with --json.
void report(const ProductOutcome& outcome, const Device& device, const MultiplyOptions& options);

/// Writes C if it is right, and reports. Throws std::runtime_error if it is wrong.
template <class C>
int deliver(const ProductOutcome& outcome, const Device& device, const MultiplyOptions& options,
            const std::vector<C>& result) {
  clear_progress();
  const bool right = outcome.comparison.passed();
  if (right) write_npy(options.output.path, outcome.problem.m, outcome.problem.n, result);
  report(outcome, device, options);
  if (!right) throw std::runtime_error("the result is wrong; " + options.output.path + " was not written");
  return 0;
}

}  // namespace tilewright::tool
