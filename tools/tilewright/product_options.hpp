// Options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tilewright/gemm.hpp"

namespace tilewright::tool {

struct ProductOptions {
  std::string type = "f32";
  std::string transposes = "NN";
  std::string device;

  void add_to(CLI::App& command);

  /// A problem with the type and transposes. Throws std::invalid_argument.
  GemmProblem problem() const;
  /// The same with the sizes of a shape, "MxNxK".
  GemmProblem problem(std::string_view shape) const;
};

/// A forced choice, empty unless the user forces one.
struct ChoiceOptions {
  std::string variant;
  std::string configuration;

  void add_to(CLI::App& command);

  /// Throws Error(invalid_configuration).
  GemmChoice choice() const;
};

void add_device_option(CLI::App& command, std::string& device);
void add_against_option(CLI::App& command, std::vector<std::string>& references);

}  // namespace tilewright::tool
