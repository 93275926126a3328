// Options that several subcommands share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli_names.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::tool {

struct ProductOptions {
  std::string type = "f32";
  std::string type_c;  ///< empty: as `type`
  std::string accuracy = "full";
  std::string transposes = "NN";
  std::uint64_t batch = 1;
  std::string epilogue;  ///< empty: none
  std::string device;

  void add_to(CLI::App& command);
  /// All but the type of A and B and the device, for a command that has its own options for these.
  void add_form_to(CLI::App& command);

  /// A problem with the types, transposes and number of products. Throws UsageError.
  GemmProblem problem() const;
  /// The same with the sizes of a shape, "MxNxK", and their strides.
  GemmProblem problem(std::string_view shape) const;
};

/// A forced choice, empty unless the user forces one.
struct ChoiceOptions {
  std::string variant;
  std::string configuration;

  void add_to(CLI::App& command);

  /// Throws UsageError where no variant or parameter has such a name, or the configuration is none.
  Choice choice(const std::vector<VariantInfo>& variants = gemm_variants()) const;
};

/// Those of the variants that are named, all where none is. Throws UsageError where one is not there.
std::vector<VariantInfo> pick_variants(std::vector<VariantInfo> variants, const std::vector<std::string>& names);

void add_device_option(CLI::App& command, std::string& device);
void add_against_option(CLI::App& command, std::vector<std::string>& references);

}  // namespace tilewright::tool
