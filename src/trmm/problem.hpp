// Triangular products in one form: B := alpha T B, where T multiplies every line of B.
#pragma once

#include <cstdint>

#include "kernels/operands/triangle_form.hpp"
#include "tilewright/trmm.hpp"

namespace tilewright::detail {

/// A problem seen as B := alpha T B. For Side::left, the lines of B are its columns. For Side::right, they are its
/// rows.
struct TrmmSystem : TriangleForm<TrmmProblem> {
  std::uint64_t lines = 0;                ///< columns or rows of B, which have `order` elements
  std::uint64_t step = 0, line_step = 0;  ///< elements between consecutive elements of a line, and lines

  /// Whether sums are kept in the workspace until they are complete, because storing one in B rounds it.
  bool keeps_sums() const { return accumulator_of(problem.type) != problem.type; }
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

}  // namespace tilewright::detail
