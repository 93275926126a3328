// Triangular systems in one form: T X = alpha B, where the columns of X are the right-hand sides.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

/// A row-major problem with all sizes checked and both leading dimensions filled in, seen as T X = alpha B. For
/// Side::left, T is op(A), and X and B are the caller's. For Side::right, T is op(A)^T, and X and B are the transposes
/// of the caller's, so that every right-hand side is a column.
struct TrsmSystem {
  TrsmProblem problem{};
  Layout layout{};                                  ///< layout of the caller's matrices
  std::uint64_t order = 0;                          ///< rows of T, X and B
  std::uint64_t nrhs = 0;                           ///< columns of X and B
  bool is_upper = false;                            ///< T is upper triangular: substitution starts with its last row
  bool is_conjugated = false;                       ///< T holds the conjugates of the elements of A
  std::uint64_t t_row_step = 0, t_column_step = 0;  ///< elements between consecutive rows and columns of T
  std::uint64_t b_row_step = 0, b_column_step = 0;  ///< elements between consecutive rows and columns of B

  bool empty() const { return problem.m == 0 || problem.n == 0 || problem.batch.count == 0; }
  StoredMatrix stored_a() const { return {order, order, problem.lda}; }
  StoredMatrix stored_b() const { return {problem.m, problem.n, problem.ldb}; }
};

/// Checks a problem and brings it into the form above.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_batch, size_overflow, overlapping_operands,
/// invalid_offset).
TrsmSystem trsm_system(const TrsmProblem& problem, const DeviceProfile& device);

/// Checks the operands of a call whose plan needs a workspace of `workspace_bytes`.
/// Throws Error(invalid_scalar, null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small,
/// overlapping_operands, invalid_workspace, workspace_too_small, overlapping_workspace).
void check_trsm_operands(const cl::Context& context, const TrsmSystem& system, const TrsmOperands& operands,
                         std::uint64_t workspace_bytes);

/// Returns alpha rounded to the element type. Throws Error(invalid_scalar).
std::complex<double> trsm_scalar(const TrsmSystem& system, const Scalar& alpha);

}  // namespace tilewright::detail
