#pragma once

#include <string>
#include <vector>

#include "tilewright/gemm.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// What help texts say of a table of shapes.
inline constexpr const char* shapes_table_help =
    "a table (CSV): m,n,k[,trans_a,trans_b,type,type_c,accuracy,batch,epilogue] for products, m,n[,type] for matrices, "
    "n,file[,type] for sparse ones";

/// Reads a table of shapes: comma-separated; '#' begins a comment line; the first line names the columns, of which m, n
/// and k are needed, and trans_a, trans_b (N, T or, for a conjugate transpose, C), type, type_c (that of C, empty where
/// it is the usual one), accuracy (full, fp32_split or tf32), batch (products in one call) and epilogue override those
/// of `defaults`, as do the sizes. A later line of names names the columns of those after it. Throws
/// FileError(cannot_open, not_a_file, cannot_read, missing_column, malformed_row).
std::vector<GemmProblem> read_shapes(const std::string& path, const GemmProblem& defaults);

/// The same for matrices to be transposed, with the columns m and n, and type where it is there.
std::vector<TransposeProblem> read_matrix_shapes(const std::string& path, const TransposeProblem& defaults);

/// A file of a sparse matrix that is multiplied with n columns.
struct SparseShape {
  std::string file;
  std::uint64_t n = 1;
  DataType type = DataType::f32;
};

/// The same for products of sparse matrices, with the columns n and file, and type where it is there. A relative path
/// starts where the table is.
std::vector<SparseShape> read_sparse_shapes(const std::string& path, DataType type);

}  // namespace tilewright::tool
