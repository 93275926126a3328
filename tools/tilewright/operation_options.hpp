// Which operation a command is about.
#pragma once

#include <string>
#include <string_view>

#include "cli_names.hpp"
#include "product_options.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// "--op", the operation, and "--in-place", which only transpose takes.
struct OperationOptions {
  std::string name = "gemm";
  bool in_place = false;

  void add_to(CLI::App& command);
  bool is_transpose() const { return name == "transpose"; }

  /// A transposition of the type and place that the options name. Throws UsageError where they name what only products
  /// have.
  TransposeProblem transposition(const ProductOptions& product) const;
  /// The same with the sizes of a shape, "MxN".
  TransposeProblem transposition(const ProductOptions& product, std::string_view shape) const;
  /// Throws UsageError where options were given that gemm does not have.
  void check_gemm() const;
};

}  // namespace tilewright::tool
