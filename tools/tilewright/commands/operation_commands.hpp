// What bench, ladder and explain do for operations other than gemm.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "product_options.hpp"

namespace tilewright::tool {

/// Adds "--op", the operation, and "--in-place", which only transpose takes.
struct OperationOptions {
  std::string name = "gemm";
  bool in_place = false;

  void add_to(CLI::App& command);
  bool is_transpose() const { return name == "transpose"; }
  /// Throws UsageError where options were given that gemm does not have.
  void check_gemm() const;
};

/// What the transpose commands take of the options that all operations have.
struct TransposeOptions {
  ProductOptions product;
  ChoiceOptions forced;
  OperationOptions operation;
  std::vector<std::string> shapes;  ///< "MxN"
  std::vector<std::string> against;
  unsigned runs = 7;
  bool json = false;
};

// Each returns the exit status. Throw UsageError and Error.
int bench_transpose(const TransposeOptions& options);
int climb_transpose_ladder(const TransposeOptions& options);    ///< of the first shape
int explain_transpose_choice(const TransposeOptions& options);  ///< of the first shape

}  // namespace tilewright::tool
