// `bench`, `ladder` and `explain` for transpositions.
#pragma once

#include <string>
#include <vector>

#include "operation_options.hpp"
#include "product_options.hpp"

namespace tilewright::tool {

/// Options of these commands.
struct TransposeOptions {
  ProductOptions product;
  ChoiceOptions forced;
  OperationOptions operation;
  std::vector<std::string> shapes;    ///< "MxN"
  std::string shapes_file;            ///< table with more shapes
  std::vector<std::string> variants;  ///< for ladder; empty: all
  std::vector<std::string> against;
  unsigned runs = 7;
  bool json = false;
};

// Run the command and return the exit status. Throw UsageError and Error.
int bench_transpose(const TransposeOptions& options);
int run_transpose_ladder(const TransposeOptions& options);      ///< of the first shape
int explain_transpose_choice(const TransposeOptions& options);  ///< of the first shape

}  // namespace tilewright::tool
