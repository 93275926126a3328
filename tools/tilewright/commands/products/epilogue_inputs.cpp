#include "commands/products/epilogue_inputs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "options/option_values.hpp"
#include "options/shape.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

std::optional<NpyMatrix> read_if(const std::string& path, NpyElements elements, NpyShape shape) {
  return path.empty() ? std::nullopt : std::optional(read_npy(path, elements, shape));
}

void add_vector(CLI::App& command, const std::string& name, const std::string& what, std::string& file,
                std::string& per) {
  CLI::Option* const option = command.add_option("--" + name, file, "NumPy file of a vector: " + what);
  command
      .add_option("--" + name + "-per", per, fmt::format("apply element i of --{} to row i or to column i of C", name))
      ->check(one_of("side", {"row", "column"}))
      ->needs(option);
}

// Returns for example "+bias_column". The side has no default, because a vector for a square matrix fits both.
std::string part_of(const std::string& name, const std::string& file, const std::string& per) {
  if (file.empty()) return {};
  if (per.empty()) throw UsageError(fmt::format("--{0} needs --{0}-per row or --{0}-per column", name));
  return '+' + name + '_' + per;
}

void check_length(const char* name, const std::optional<NpyMatrix>& vector, EpilogueVector per,
                  const GemmProblem& problem) {
  if (!vector) return;
  const bool by_rows = per == EpilogueVector::per_row;
  const std::uint64_t wanted = by_rows ? problem.m : problem.n;
  if (vector->header.rows != wanted)
    throw std::runtime_error(fmt::format("the vector of --{} has {} elements, but the product has {} {}", name,
                                         vector->header.rows, wanted, by_rows ? "rows" : "columns"));
}

}  // namespace

void EpilogueOptions::add_to(CLI::App& command) {
  add_vector(command, "scale", "factors of the product's rows or columns", scale, scale_per);
  add_vector(command, "bias", "added to the scaled product", bias, bias_per);
  command
      .add_option("--activation", activation,
                  "activation function applied after the bias: relu, gelu, gelu_tanh or silu")
      ->check(one_of("activation", {"relu", "gelu", "gelu_tanh", "silu"}));
  command.add_option("--residual", residual, "NumPy file of a matrix, added last");
  command.add_option("--zero-point", zero_point, "integer that represents 0 if C is i8 or u8");
}

GemmEpilogue EpilogueOptions::epilogue() const {
  std::string text = part_of("scale", scale, scale_per) + part_of("bias", bias, bias_per);
  if (!activation.empty()) text += '+' + activation;
  if (!residual.empty()) text += "+residual";
  if (!zero_point.empty() && zero_point != "0") text += "+zero_point=" + zero_point;
  return parse_epilogue(text.empty() ? text : text.substr(1));
}

EpilogueInputs read_epilogue_inputs(const EpilogueOptions& options, NpyElements elements) {
  return {read_if(options.scale, NpyElements::numbers, NpyShape::vector),
          read_if(options.bias, NpyElements::numbers, NpyShape::vector),
          read_if(options.residual, elements, NpyShape::matrix)};
}

void check_epilogue_inputs(const EpilogueInputs& inputs, const GemmProblem& problem) {
  check_length("scale", inputs.scale, problem.epilogue.scale, problem);
  check_length("bias", inputs.bias, problem.epilogue.bias, problem);
  if (!inputs.residual) return;
  const NpyHeader& residual = inputs.residual->header;
  if (residual.rows != problem.m || residual.columns != problem.n)
    throw std::runtime_error(fmt::format("the matrix of --residual is {} x {}, the product is {} x {}", residual.rows,
                                         residual.columns, problem.m, problem.n));
}

}  // namespace tilewright::tool
