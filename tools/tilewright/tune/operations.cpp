#include "tune/operations.hpp"

#include "files/shapes_file.hpp"
#include "option_values.hpp"
#include "text/suggest.hpp"
#include "tune/references.hpp"
#include "tuning/operations/gemm_tunable.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

tuning::Problem read_gemm_shape(std::string_view text, const ProductOptions& options) {
  return tuning::tunable(options.problem(text));
}

std::vector<tuning::Problem> read_gemm_table(const std::string& path, const ProductOptions& options) {
  std::vector<tuning::Problem> problems;
  for (const GemmProblem& problem : read_shapes(path, options.problem())) problems.push_back(tuning::tunable(problem));
  return problems;
}

const TuneOperation table[] = {
    {tuning::gemm_operation, read_gemm_shape, read_gemm_table, time_gemm_references},
};

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const TuneOperation& entry : table) result.emplace_back(entry.operation.name);
  return result;
}

}  // namespace

const TuneOperation& find_tune_operation(std::string_view name) {
  for (const TuneOperation& entry : table)
    if (entry.operation.name == name) return entry;
  throw UsageError(unknown_word("operation", name, names()));
}

void add_operation_option(CLI::App& command, std::string& operation) {
  command.add_option("--op", operation, "operation whose kernels are tried")
      ->check(one_of("operation", names()))
      ->capture_default_str();
}

}  // namespace tilewright::tool
