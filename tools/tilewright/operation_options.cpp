#include "operation_options.hpp"

#include <CLI/CLI.hpp>

#include "option_values.hpp"
#include "shape.hpp"
#include "tuning/tunable/operation.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const tuning::Operation* const operation : tuning::operations()) result.emplace_back(operation->name);
  return result;
}

}  // namespace

void OperationOptions::add_to(CLI::App& command) {
  command.add_option("--op", name, "the operation: gemm, or transpose, whose shapes are MxN")
      ->check(one_of("operation", names()))
      ->capture_default_str();
  command.add_flag("--in-place", in_place, "with --op transpose: B takes the place of A");
}

TransposeProblem OperationOptions::transposition(const ProductOptions& product) const {
  if (product.transposes != "NN" || product.batch != 1 || !product.type_c.empty() || product.accuracy != "full" ||
      !product.epilogue.empty())
    throw UsageError("--trans, --c-type, --accuracy, --batch and --epilogue are not for --op transpose");
  return {.element = parse_type(product.type), .in_place = in_place};
}

TransposeProblem OperationOptions::transposition(const ProductOptions& product, std::string_view shape) const {
  TransposeProblem problem = transposition(product);
  parse_matrix_shape(shape, problem);
  return problem;
}

void OperationOptions::check_gemm() const {
  if (in_place) throw UsageError("--in-place is for --op transpose alone");
}

}  // namespace tilewright::tool
