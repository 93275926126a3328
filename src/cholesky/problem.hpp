// Cholesky problems in one form: A = L L^H, with L in either triangle. For real elements L^H is L^T.
#pragma once

#include <cstdint>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/cholesky_inverse.hpp"

namespace tilewright::detail {

/// A row-major problem with all sizes checked and the leading dimension and strides filled in. If the upper triangle is
/// used, it stores L^T.
struct PotrfSystem {
  PotrfProblem problem{};
  Layout layout{};                              ///< layout of the caller's matrix
  std::uint64_t row_step = 0, column_step = 0;  ///< elements between consecutive rows and columns of L

  bool is_upper() const { return problem.uplo == Uplo::upper; }
  /// Elements from the start of A to an element of L.
  std::uint64_t place(std::uint64_t row, std::uint64_t column) const { return row * row_step + column * column_step; }
};

/// Returns the op() that makes L^H of L.
inline Transpose adjoint(DataType type) { return is_complex(type) ? Transpose::conjugate_transpose : Transpose::yes; }

/// Checks a problem and brings it into the form above.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_batch, size_overflow, overlapping_operands,
/// invalid_offset).
PotrfSystem potrf_system(const PotrfProblem& problem, const DeviceProfile& device);

/// Does the same for an inversion, which has no info.
PotrfSystem potri_system(const PotriProblem& problem, const DeviceProfile& device);

/// Check the operands of a call whose plan needs a workspace of `workspace_bytes`, in the order A, B, info, workspace.
/// Throw Error(null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small, overlapping_operands,
/// invalid_workspace, workspace_too_small, overlapping_workspace).
void check_potrf_operands(const cl::Context& context, const PotrfSystem& system, const PotrfOperands& operands,
                          std::uint64_t workspace_bytes);
void check_potri_operands(const cl::Context& context, const PotrfSystem& system, const PotriOperands& operands,
                          std::uint64_t workspace_bytes);
void check_potrs_operands(const cl::Context& context, const PotrsProblem& problem, const PotrsOperands& operands,
                          std::uint64_t workspace_bytes);
void check_posv_operands(const cl::Context& context, const PotrfSystem& system, const PosvProblem& problem,
                         const PosvOperands& operands, std::uint64_t workspace_bytes);

/// Return the two problems that a posv consists of. The first one throws Error(unsupported_type), and
/// Error(invalid_batch) for a stride that posv does not use.
PotrfProblem factorisation_of(const PosvProblem& problem, const DeviceProfile& device);
PotrsProblem solution_of(const PosvProblem& problem);

}  // namespace tilewright::detail
