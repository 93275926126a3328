// `bench`, `ladder` and `explain` for products of sparse matrices.
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
  std::string shape;                  ///< must be empty; the files have shapes
  std::string shapes_file;            ///< table of files and columns; empty: only the named files
  std::vector<std::string> variants;  ///< for ladder; empty: all
  std::vector<std::string> against;   ///< must be empty
  unsigned runs = 7;
  bool json = false;
};

// Run the command and return the exit status. Throw UsageError, FileError and Error.
int bench_sparse(const SparseOptions& options);           ///< every product of the table, then every file with every
                                                          ///< number of columns
int run_sparse_ladder(const SparseOptions& options);      ///< of one file
int explain_sparse_choice(const SparseOptions& options);  ///< of one file

}  // namespace tilewright::tool
