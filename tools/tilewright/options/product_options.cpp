#include "options/product_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "kernels/element_type.hpp"
#include "options/option_values.hpp"
#include "options/shape.hpp"
#include "text/suggest.hpp"
#include "text/text.hpp"
#include "tilewright/error.hpp"
#include "tilewright/gemm_choice.hpp"
#include "usage_error.hpp"

namespace tilewright::tool {
namespace {

/// Upper limit of --batch. More products would exceed any device's memory.
constexpr std::uint64_t max_products = std::uint64_t{1} << 40;

UsageError unknown_variant(const std::string& name, const std::vector<VariantInfo>& variants) {
  std::vector<std::string> names;
  for (const VariantInfo& info : variants) names.push_back(info.name);
  return UsageError(unknown_word("variant", name, names));
}

}  // namespace

void ProductOptions::add_to(CLI::App& command) {
  command.add_option("--type", type, fmt::format("element type of A and B: {}", join_words(type_names())))
      ->check(one_of("type", type_names()))
      ->capture_default_str();
  add_form_to(command);
  add_device_option(command, device);
}

void ProductOptions::add_form_to(CLI::App& command) {
  command
      .add_option(
          "--c-type", type_c,
          "element type of C: the type of A and B (default), f32 if that is f16 or bf16, or i32 if it is i8 or u8")
      ->check(one_of("type", type_names()));
  command
      .add_option("--accuracy", accuracy,
                  fmt::format("required accuracy of f32 products: {}", join_words(accuracy_names())))
      ->check(one_of("accuracy", accuracy_names()))
      ->capture_default_str();
  command
      .add_option("--trans", transposes,
                  "transposes of A and B, one letter each: NN, NT, TN or TT; C is the conjugate transpose")
      ->capture_default_str();
  command.add_option("--batch", batch, "number of products in one call; their matrices are stored one after the other")
      ->transform(whole_number(1, max_products))
      ->capture_default_str();
  command.add_option("--epilogue", epilogue,
                     "operations fused into the product, joined by +, such as bias_column+gelu+residual: scale_row, "
                     "scale_column, bias_row, bias_column, one of relu, gelu, gelu_tanh and silu, and residual");
}

GemmProblem ProductOptions::problem() const {
  GemmProblem problem;
  problem.type = parse_type(type);
  if (!type_c.empty()) problem.type_c = parse_type(type_c);
  if (problem.type_c == detail::default_type_of_c(problem.type)) problem.type_c.reset();
  problem.accuracy = parse_accuracy(accuracy);
  parse_transposes(transposes, problem);
  problem.batch.count = batch;
  problem.epilogue = parse_epilogue(epilogue);
  return problem;
}

GemmProblem ProductOptions::problem(std::string_view shape) const {
  const GemmProblem sizes = parse_shape(shape);
  GemmProblem problem = this->problem();
  problem.m = sizes.m;
  problem.n = sizes.n;
  problem.k = sizes.k;
  set_batch(problem, batch);
  return problem;
}

void ChoiceOptions::add_to(CLI::App& command) {
  command.add_option("--variant", variant, "force a variant, for example register_blocked");
  command.add_option("--configuration", configuration,
                     "force values of the variant's parameters, for example tile_m=64,tile_n=32");
}

Choice ChoiceOptions::choice() const { return choice(gemm_variants()); }

Choice ChoiceOptions::choice(const std::vector<VariantInfo>& variants) const {
  if (variant.find(',') != std::string::npos)
    throw UsageError("--variant takes one variant here, not '" + variant +
                     "'; `tilewright ladder` compares variants of gemm, transpose and spmm");
  const auto known =
      std::find_if(variants.begin(), variants.end(), [&](const VariantInfo& info) { return info.name == variant; });
  if (!variant.empty() && known == variants.end()) throw unknown_variant(variant, variants);
  Choice choice{variant, {}};
  try {
    choice.configuration = Configuration::parse(configuration);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (known == variants.end()) return choice;
  std::vector<std::string> names;
  for (const Parameter& parameter : known->parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : choice.configuration)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw UsageError(unknown_word("parameter of " + variant, name, names));
  return choice;
}

std::vector<VariantInfo> pick_variants(std::vector<VariantInfo> variants, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::none_of(variants.begin(), variants.end(), [&](const VariantInfo& info) { return info.name == name; }))
      throw unknown_variant(name, variants);
  if (!names.empty())
    std::erase_if(variants, [&](const VariantInfo& info) {
      return std::find(names.begin(), names.end(), info.name) == names.end();
    });
  return variants;
}

void add_device_option(CLI::App& command, std::string& device) {
  command.add_option("--device", device,
                     "\"platform:device\" as listed by `tilewright devices`, or part of a device's or platform's name; "
                     "default: TILEWRIGHT_DEVICE, otherwise the best device");
}

void add_against_option(CLI::App& command, std::vector<std::string>& references) {
  command
      .add_option("--against", references,
                  "libraries to compare with in the same run, comma-separated: clblast, openblas")
      ->delimiter(',');
}

}  // namespace tilewright::tool
