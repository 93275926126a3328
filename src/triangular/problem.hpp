// Triangular systems in one form: T X = alpha B, where the columns of X are the right-hand sides.
#pragma once

#include <cstdint>

#include "kernels/operands/triangle_form.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

/// A problem seen as T X = alpha B. For Side::left, X and B are the caller's. For Side::right, they are the transposes
/// of the caller's, so that every right-hand side is a column.
struct TrsmSystem : TriangleForm<TrsmProblem> {
  std::uint64_t nrhs = 0;                           ///< columns of X and B
  bool is_conjugated = false;                       ///< T holds the conjugates of the elements of A
  std::uint64_t b_row_step = 0, b_column_step = 0;  ///< elements between consecutive rows and columns of B
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

}  // namespace tilewright::detail
