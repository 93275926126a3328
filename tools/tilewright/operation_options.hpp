// Which operation a command is about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli_names.hpp"
#include "product_options.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// "--op", the operation, "--in-place", which only transpose takes, and what only spmm takes: files of sparse matrices
/// and "--columns".
struct OperationOptions {
  std::string name = "gemm";
  bool in_place = false;
  std::vector<std::string> files;
  std::vector<std::uint64_t> columns;

  /// The operations that can be tuned.
  void add_to(CLI::App& command);
  /// The same, `more` operations and files of sparse matrices.
  void add_with_files_to(CLI::App& command, const std::vector<std::string>& more = {});
  bool is_transpose() const { return name == "transpose"; }
  bool is_spmm() const { return name == "spmm"; }

  /// A transposition of the type and place that the options name. Throws UsageError where they name what only products
  /// have.
  TransposeProblem transposition(const ProductOptions& product) const;
  /// The same with the sizes of a shape, "MxN".
  TransposeProblem transposition(const ProductOptions& product, std::string_view shape) const;
  /// Throws UsageError where options were given that gemm does not have.
  void check_gemm() const;
  /// Throws UsageError where options were given that only spmm has.
  void check_dense() const;
  /// The type of a product of sparse matrices. Throws UsageError where options were given that spmm does not have.
  DataType sparse_type(const ProductOptions& product) const;
  /// The files. Throws UsageError where none is named.
  const std::vector<std::string>& named_files() const;

 private:
  void add_name_to(CLI::App& command, const std::vector<std::string>& names);
};

/// What spmm is measured with where --columns is not given.
inline const std::vector<std::uint64_t> default_columns{1, 8, 32, 128};

}  // namespace tilewright::tool
