// Which algorithm does a product: gemm()'s, or one that is made of gemm()'s products.
#pragma once

#include <optional>
#include <string>

#include "cli_names.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::tool {

/// "--algorithm" and "--levels", which only strassen takes.
struct AlgorithmOptions {
  std::string name = "gemm";
  std::optional<unsigned> levels;

  void add_to(CLI::App& command);
  bool is_strassen() const { return name == "strassen"; }
  StrassenProblem strassen_problem(const GemmProblem& product) const;
  /// Throws UsageError where levels are given to an algorithm that has none, or the operation is no gemm.
  void check_with(const std::string& operation) const;
};

}  // namespace tilewright::tool
