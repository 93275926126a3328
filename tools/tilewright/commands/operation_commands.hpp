// What bench, ladder and explain do for operations other than gemm.
#pragma once

#include <string>
#include <vector>

#include "operation_options.hpp"
#include "product_options.hpp"

namespace tilewright::tool {

/// What the transpose commands take of the options that all operations have.
struct TransposeOptions {
  ProductOptions product;
  ChoiceOptions forced;
  OperationOptions operation;
  std::vector<std::string> shapes;    ///< "MxN"
  std::string shapes_file;            ///< a table with more of them
  std::vector<std::string> variants;  ///< of a ladder; all where empty
  std::vector<std::string> against;
  unsigned runs = 7;
  bool json = false;
};

// Each returns the exit status. Throw UsageError and Error.
int bench_transpose(const TransposeOptions& options);
int climb_transpose_ladder(const TransposeOptions& options);    ///< of the first shape
int explain_transpose_choice(const TransposeOptions& options);  ///< of the first shape

}  // namespace tilewright::tool
