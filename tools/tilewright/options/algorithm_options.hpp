// The option that selects the algorithm of a product: gemm() or Strassen's.
#pragma once

#include <optional>
#include <string>

#include "options/cli_names.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// Options --algorithm and --levels; --levels applies to strassen only.
struct AlgorithmOptions {
  std::string name = "gemm";
  std::optional<unsigned> levels;

  void add_to(CLI::App& command);
  bool is_strassen() const { return name == "strassen"; }
  StrassenProblem strassen_problem(const GemmProblem& product) const;
  /// Throws UsageError if levels are given without strassen, or strassen with an operation other than gemm.
  void check_with(const std::string& operation) const;
};

}  // namespace tilewright::tool
