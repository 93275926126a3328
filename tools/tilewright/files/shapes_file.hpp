#pragma once

#include <string>
#include <vector>

#include "tilewright/gemm_problem.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// Format of shape tables, for help texts.
inline constexpr const char* shapes_table_help =
    "a table (CSV) with the columns m,n,k[,trans_a,trans_b,type,type_c,accuracy,batch,epilogue] for products, "
    "m,n[,type] for transpositions, n,file[,type] for sparse products";

/// Reads a comma-separated table of products. Lines that start with '#' are comments. The first line names the columns;
/// later lines of names replace them. Columns:
///   m, n, k: required sizes;
///   trans_a, trans_b: N, T or C (conjugate transpose);
///   type, type_c: element types; an empty type_c means the default;
///   accuracy: full, fp32_split or tf32;
///   batch: products in one call;
///   epilogue: as for --epilogue.
/// Absent columns take the value of `defaults`. Throws FileError(cannot_open, not_a_file, cannot_read, missing_column,
/// malformed_row).
std::vector<GemmProblem> read_shapes(const std::string& path, const GemmProblem& defaults);

/// Reads a table of transpositions with the columns m, n and optionally type.
std::vector<TransposeProblem> read_matrix_shapes(const std::string& path, const TransposeProblem& defaults);

/// The product of a sparse matrix from a file with n dense columns.
struct SparseShape {
  std::string file;
  std::uint64_t n = 1;
  DataType type = DataType::f32;
};

/// Reads a table of sparse products with the columns n, file and optionally type. Relative paths start at the table's
/// directory.
std::vector<SparseShape> read_sparse_shapes(const std::string& path, DataType type);

}  // namespace tilewright::tool
