// Options that select the operation of a command.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "options/cli_names.hpp"
#include "options/product_options.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// Options --op and --in-place (transpose only), and for spmm the matrix files and --columns.
struct OperationOptions {
  std::string name = "gemm";
  bool in_place = false;
  std::vector<std::string> files;
  std::vector<std::uint64_t> columns;

  /// Adds --op, limited to tunable operations, --in-place and --columns.
  void add_to(CLI::App& command);
  /// Adds the options of add_to() for these operations, and a positional list of sparse matrix files.
  void add_with_files_to(CLI::App& command, const std::vector<std::string>& names);
  bool is_spmm() const { return name == "spmm"; }

  /// Returns a transposition with the options' type and place, without sizes. Throws UsageError if an option applies to
  /// products only.
  TransposeProblem transposition(const ProductOptions& product) const;
  /// Returns a transposition of the shape "MxN". Throws UsageError if an option applies to products only.
  TransposeProblem transposition(const ProductOptions& product, std::string_view shape) const;
  /// Throws UsageError if an option is set that gemm does not have.
  void check_gemm() const;
  /// Throws UsageError if an option is set that only spmm has.
  void check_dense() const;
  /// Returns the element type of a sparse product. Throws UsageError if an option is set that spmm does not have, or if
  /// the type is neither f32 nor f64.
  DataType sparse_type(const ProductOptions& product) const;
  /// Returns the files. Throws UsageError if there are none.
  const std::vector<std::string>& named_files() const;

 private:
  void add_name_to(CLI::App& command, const std::vector<std::string>& names);
};

/// Numbers of columns that spmm is measured with if --columns is absent.
inline const std::vector<std::uint64_t> default_columns{1, 8, 32, 128};

}  // namespace tilewright::tool
