// Triangular products in one form: B := alpha T B, where T multiplies every line of B.
#pragma once

#include <complex>
#include <cstdint>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/trmm.hpp"

namespace tilewright::detail {

/// A row-major problem with all sizes checked and both leading dimensions filled in, seen as B := alpha T B. For
/// Side::left, T is op(A), and the lines of B are its columns. For Side::right, T is op(A)^T, and the lines are the
/// rows of B.
struct TrmmSystem {
  TrmmProblem problem{};
  Layout layout{};                                  ///< layout of the caller's matrices
  std::uint64_t order = 0;                          ///< rows of T, and elements of a line
  std::uint64_t lines = 0;                          ///< columns or rows of B
  bool is_upper = false;                            ///< T is upper triangular
  std::uint64_t t_row_step = 0, t_column_step = 0;  ///< elements between consecutive rows and columns of T
  std::uint64_t step = 0, line_step = 0;            ///< elements between consecutive elements of a line, and lines

  bool empty() const { return problem.m == 0 || problem.n == 0 || problem.batch.count == 0; }
  bool is_left() const { return problem.side == Side::left; }
  /// Whether sums are kept in the workspace until they are complete, because storing one in B rounds it.
  bool keeps_sums() const { return accumulator_of(problem.type) != problem.type; }
  StoredMatrix stored_a() const { return {order, order, problem.lda}; }
  StoredMatrix stored_b() const { return {problem.m, problem.n, problem.ldb}; }
};

/// Checks a problem and brings it into the form above.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_batch, size_overflow, overlapping_operands,
/// invalid_offset).
TrmmSystem trmm_system(const TrmmProblem& problem, const DeviceProfile& device);

/// Checks the operands of a call whose plan needs a workspace of `workspace_bytes`.
/// Throws Error(invalid_scalar, null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small,
/// overlapping_operands, invalid_workspace, workspace_too_small, overlapping_workspace).
void check_trmm_operands(const cl::Context& context, const TrmmSystem& system, const TrmmOperands& operands,
                         std::uint64_t workspace_bytes);

/// Returns alpha rounded to the element type. Throws Error(invalid_scalar).
std::complex<double> trmm_scalar(const TrmmSystem& system, const Scalar& alpha);

}  // namespace tilewright::detail
