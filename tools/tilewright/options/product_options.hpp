// Options that several subcommands share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options/cli_names.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::tool {

struct ProductOptions {
  std::string type = "f32";
  std::string type_c;  ///< empty: the default for `type`
  std::string accuracy = "full";
  std::string transposes = "NN";
  std::uint64_t batch = 1;
  std::string epilogue;  ///< empty: none
  std::string device;

  void add_to(CLI::App& command);
  /// Adds all options except --type and --device, for commands that define their own.
  void add_form_to(CLI::App& command);

  /// Returns a problem with the types, transposes and batch count, without sizes. Throws UsageError.
  GemmProblem problem() const;
  /// Returns a problem with the sizes of the shape "MxNxK" and dense strides. Throws UsageError.
  GemmProblem problem(std::string_view shape) const;
};

/// Options that force a choice; empty by default.
struct ChoiceOptions {
  std::string variant;
  std::string configuration;

  void add_to(CLI::App& command);

  /// Returns the forced choice. Throws UsageError if a variant or parameter is unknown or the configuration is
  /// malformed.
  Choice choice(const std::vector<VariantInfo>& variants) const;
  Choice choice() const;  ///< among gemm's variants
};

/// Returns the named variants, or all if `names` is empty. Throws UsageError if a name is unknown.
std::vector<VariantInfo> pick_variants(std::vector<VariantInfo> variants, const std::vector<std::string>& names);

void add_device_option(CLI::App& command, std::string& device);
void add_against_option(CLI::App& command, std::vector<std::string>& references);

}  // namespace tilewright::tool
