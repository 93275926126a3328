// A matrix to factor in one form: its factor L, lower, wherever it is stored.
#pragma once

#include <cstdint>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/cholesky.hpp"

namespace tilewright::detail {

/// A problem in row-major form, with every size checked and the leading dimension filled in. Where the upper triangle
/// is given, L is stored as its transpose.
struct PotrfSystem {
  PotrfProblem problem{};
  Layout layout{};  ///< the caller's
  /// Elements from one row, or column, of L to the next.
  std::uint64_t row_step = 0, column_step = 0;

  bool is_upper() const { return problem.uplo == Uplo::upper; }
  std::uint64_t place(std::uint64_t row, std::uint64_t column) const { return row * row_step + column * column_step; }
};

/// Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, overlapping_operands, invalid_offset).
PotrfSystem potrf_system(const PotrfProblem& problem, const DeviceProfile& device);

/// Throw Error(null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands,
/// invalid_workspace, workspace_too_small, overlapping_workspace).
void check_potrf_operands(const cl::Context& context, const PotrfSystem& system, const PotrfOperands& operands,
                          std::uint64_t workspace_bytes);
void check_potrs_operands(const cl::Context& context, const PotrsProblem& problem, const PotrsOperands& operands,
                          std::uint64_t workspace_bytes);
/// The checks of posv: both of these without a workspace, then info against B.
void check_posv_operands(const cl::Context& context, const PotrfSystem& system, const PotrsProblem& problem,
                         const MatrixRef& a, const MatrixRef& b, const MatrixRef& info);

}  // namespace tilewright::detail
