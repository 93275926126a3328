// What bench, ladder and explain do for products of sparse matrices.
#pragma once

#include <string>
#include <vector>

#include "operation_options.hpp"
#include "product_options.hpp"

namespace tilewright::tool {

struct SparseOptions {
  ProductOptions product;
  ChoiceOptions forced;
  OperationOptions operation;
  std::string shape;                  ///< to be empty, as the files have one
  std::string shapes_file;            ///< a table of files and columns; empty: those that are named
  std::vector<std::string> variants;  ///< of a ladder; all where empty
  std::vector<std::string> against;   ///< to be empty
  unsigned runs = 7;
  bool json = false;
};

// Each returns the exit status. Throw UsageError, FileError and Error.
int bench_sparse(const SparseOptions& options);           ///< every file with every number of columns, then the table
int climb_sparse_ladder(const SparseOptions& options);    ///< of one file
int explain_sparse_choice(const SparseOptions& options);  ///< of one file

}  // namespace tilewright::tool
