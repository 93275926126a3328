#pragma once

#include <string>
#include <vector>

#include "tilewright/gemm.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::tool {

/// What help texts say of a table of shapes.
inline constexpr const char* shapes_table_help =
    "a table (CSV): m,n,k[,trans_a,trans_b,type,type_c,accuracy,batch,epilogue] for products, m,n[,type] for matrices";

/// Reads a table of shapes: comma-separated; '#' begins a comment line; the first line names the columns, of which m, n
/// and k are needed, and trans_a, trans_b (N, T or, for a conjugate transpose, C), type, type_c (that of C, empty where
/// it is the usual one), accuracy (full, fp32_split or tf32), batch (products in one call) and epilogue override those
/// of `defaults`, as do the sizes. A later line of names names the columns of those after it. Throws
/// FileError(cannot_open, not_a_file, cannot_read, missing_column, malformed_row).
std::vector<GemmProblem> read_shapes(const std::string& path, const GemmProblem& defaults);

/// The same for matrices to be transposed, with the columns m and n, and type where it is there.
std::vector<TransposeProblem> read_matrix_shapes(const std::string& path, const TransposeProblem& defaults);

}  // namespace tilewright::tool
