// A triangular system in one form: T X = alpha B, where the lines of B are solved each by itself.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

/// A problem in row-major form, with every size checked and leading dimensions filled in. T is op(A) where A stands on
/// the left, else its transpose; a line of B is a column, or else a row.
struct TrsmSystem {
  TrsmProblem problem{};
  Layout layout{};  ///< the caller's
  std::uint64_t order = 0;
  std::uint64_t lines = 0;
  bool is_upper = false;  ///< T is: substitution begins with its last row
  /// Elements from one row, or column, of T to the next, and from one element of a line, or one line, to the next.
  std::uint64_t row_step = 0, column_step = 0;
  std::uint64_t step = 0, line_step = 0;

  bool empty() const { return problem.m == 0 || problem.n == 0 || problem.batch.count == 0; }
  StoredMatrix stored_a() const { return {order, order, problem.lda}; }
  StoredMatrix stored_b() const { return {problem.m, problem.n, problem.ldb}; }
};

/// Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, overlapping_operands, invalid_offset).
TrsmSystem trsm_system(const TrsmProblem& problem, const DeviceProfile& device);

/// Throws Error(null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands,
/// invalid_workspace, workspace_too_small, overlapping_workspace).
void check_trsm_operands(const cl::Context& context, const TrsmSystem& system, const TrsmOperands& operands,
                         std::uint64_t workspace_bytes);

/// alpha as the type holds it.
double trsm_scalar(const TrsmSystem& system, const Scalar& alpha);

}  // namespace tilewright::detail
