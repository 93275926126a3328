#include "tune/operations.hpp"

#include "files/shapes_file.hpp"
#include "text/suggest.hpp"
#include "tune/references.hpp"
#include "tuning/operations/gemm_tunable.hpp"
#include "tuning/operations/transpose_tunable.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

template <class P>
std::vector<tuning::Problem> tunables(const std::vector<P>& problems) {
  std::vector<tuning::Problem> result;
  for (const P& problem : problems) result.push_back(tuning::tunable(problem));
  return result;
}

tuning::Problem read_gemm_shape(std::string_view text, const ProblemOptions& options) {
  options.operation.check_gemm();
  return tuning::tunable(options.product.problem(text));
}

std::vector<tuning::Problem> read_gemm_table(const std::string& path, const ProblemOptions& options) {
  options.operation.check_gemm();
  return tunables(read_shapes(path, options.product.problem()));
}

tuning::Problem read_transpose_shape(std::string_view text, const ProblemOptions& options) {
  return tuning::tunable(options.operation.transposition(options.product, text));
}

std::vector<tuning::Problem> read_transpose_table(const std::string& path, const ProblemOptions& options) {
  return tunables(read_matrix_shapes(path, options.operation.transposition(options.product)));
}

const TuneOperation table[] = {
    {tuning::gemm_operation, read_gemm_shape, read_gemm_table, time_gemm_references},
    {tuning::transpose_operation, read_transpose_shape, read_transpose_table, nullptr},
};

}  // namespace

const TuneOperation& find_tune_operation(std::string_view name) {
  std::vector<std::string> names;
  for (const TuneOperation& entry : table) {
    if (entry.operation.name == name) return entry;
    names.emplace_back(entry.operation.name);
  }
  throw UsageError(unknown_word("operation", name, names));
}

}  // namespace tilewright::tool
