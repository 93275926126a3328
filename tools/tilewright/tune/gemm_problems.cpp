// Products on the command line of `tilewright tune`.
#include "files/shapes_file.hpp"
#include "tune/operations.hpp"
#include "tune/references.hpp"
#include "tuning/operations/gemm_tunable.hpp"

namespace tilewright::tool {
namespace {

tuning::Problem read_gemm_shape(std::string_view text, const ProblemOptions& options) {
  options.operation.check_gemm();
  return tuning::tunable(options.product.problem(text));
}

std::vector<tuning::Problem> read_gemm_table(const std::string& path, const ProblemOptions& options) {
  options.operation.check_gemm();
  std::vector<tuning::Problem> result;
  for (const GemmProblem& problem : read_shapes(path, options.product.problem()))
    result.push_back(tuning::tunable(problem));
  return result;
}

}  // namespace

extern constinit const TuneOperation tune_gemm{tuning::gemm_operation, read_gemm_shape, read_gemm_table, nullptr,
                                               time_gemm_references};

}  // namespace tilewright::tool
