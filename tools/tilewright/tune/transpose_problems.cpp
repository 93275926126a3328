// Transpositions on the command line of `tilewright tune`.
#include "files/shapes_file.hpp"
#include "tune/operations.hpp"
#include "tuning/operations/transpose_tunable.hpp"

namespace tilewright::tool {
namespace {

tuning::Problem read_transpose_shape(std::string_view text, const ProblemOptions& options) {
  return tuning::tunable(options.operation.transposition(options.product, text));
}

std::vector<tuning::Problem> read_transpose_table(const std::string& path, const ProblemOptions& options) {
  std::vector<tuning::Problem> result;
  for (const TransposeProblem& problem : read_matrix_shapes(path, options.operation.transposition(options.product)))
    result.push_back(tuning::tunable(problem));
  return result;
}

}  // namespace

extern constinit const TuneOperation tune_transpose{tuning::transpose_operation, read_transpose_shape,
                                                    read_transpose_table, nullptr, nullptr};

}  // namespace tilewright::tool
