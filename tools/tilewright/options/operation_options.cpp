#include "options/operation_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "files/matrix_file.hpp"
#include "options/option_values.hpp"
#include "options/shape.hpp"
#include "text/text.hpp"
#include "tuning/tunable/operation.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

std::vector<std::string> tuned_names() {
  std::vector<std::string> result;
  for (const tuning::Operation* const operation : tuning::operations()) result.emplace_back(operation->name);
  return result;
}

constexpr std::uint64_t max_columns = std::uint64_t{1} << 32;

/// True if an option that only dense products have is set.
bool has_form(const ProductOptions& product) {
  return product.transposes != "NN" || product.batch != 1 || !product.type_c.empty() || product.accuracy != "full" ||
         !product.epilogue.empty();
}

}  // namespace

void OperationOptions::add_name_to(CLI::App& command, const std::vector<std::string>& names) {
  command.add_option("--op", name, fmt::format("operation: {}", join_words(names)))
      ->check(one_of("operation", names))
      ->capture_default_str();
  command.add_flag("--in-place", in_place, "with --op transpose: transpose A in place");
  command
      .add_option("--columns", columns,
                  "with --op spmm: numbers of columns of B, comma-separated; default: 1, 8, 32 and 128, or 32 for a "
                  "single product")
      ->transform(whole_number(1, max_columns))
      ->delimiter(',');
}

void OperationOptions::add_to(CLI::App& command) { add_name_to(command, tuned_names()); }

void OperationOptions::add_with_files_to(CLI::App& command, const std::vector<std::string>& names) {
  add_name_to(command, names);
  command.add_option("A", files, fmt::format("with --op spmm: files of sparse matrices, {}", sparse_files_help));
}

TransposeProblem OperationOptions::transposition(const ProductOptions& product) const {
  check_dense();
  if (has_form(product))
    throw UsageError(
        "--trans, --c-type, --accuracy, --batch and --epilogue are not for --op transpose; leave them out");
  return {.type = parse_type(product.type), .in_place = in_place};
}

TransposeProblem OperationOptions::transposition(const ProductOptions& product, std::string_view shape) const {
  TransposeProblem problem = transposition(product);
  parse_matrix_shape(shape, problem);
  return problem;
}

void OperationOptions::check_dense() const {
  if (!files.empty() || !columns.empty())
    throw UsageError(
        fmt::format("{} for --op spmm alone; add --op spmm", files.empty() ? "--columns is" : "files of matrices are"));
}

void OperationOptions::check_gemm() const {
  check_dense();
  if (in_place) throw UsageError("--in-place is for --op transpose alone; add --op transpose, or leave --in-place out");
}

DataType OperationOptions::sparse_type(const ProductOptions& product) const {
  if (in_place || has_form(product))
    throw UsageError(
        "--in-place, --trans, --c-type, --accuracy, --batch and --epilogue are not for --op spmm; leave them out");
  const DataType type = parse_type(product.type);
  if (type != DataType::f32 && type != DataType::f64)
    throw UsageError(fmt::format("the type is {}, but --op spmm takes f32 and f64", product.type));
  return type;
}

const std::vector<std::string>& OperationOptions::named_files() const {
  if (files.empty()) throw UsageError("nothing to multiply: name a file of a sparse matrix");
  return files;
}

}  // namespace tilewright::tool
