// Products with a symmetric or Hermitian matrix in one form: row-major.
#pragma once

#include <cstdint>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/symm.hpp"

namespace tilewright::detail {

/// A row-major problem with all sizes checked and all leading dimensions filled in. A column-major problem is the
/// row-major problem of the transposes, in which A is on the other side and its other triangle is stored.
struct SymmSystem {
  SymmProblem problem{};
  Layout layout{};  ///< layout of the caller's matrices

  bool empty() const { return problem.m == 0 || problem.n == 0 || problem.batch.count == 0; }
  bool is_left() const { return problem.side == Side::left; }
  bool is_hermitian() const { return problem.symmetry == Symmetry::hermitian; }
  std::uint64_t order() const { return is_left() ? problem.m : problem.n; }  ///< order of A
  std::uint64_t lines() const { return is_left() ? problem.n : problem.m; }  ///< of B: its rows if A is on the right
  std::uint64_t copies_of_a() const { return problem.batch.stride_a == 0 ? 1 : problem.batch.count; }
  StoredMatrix stored_a() const { return {order(), order(), problem.lda}; }
  StoredMatrix stored_b() const { return {problem.m, problem.n, problem.ldb}; }
  StoredMatrix stored_c() const { return {problem.m, problem.n, problem.ldc}; }
};

/// Checks a problem and brings it into the form above.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_batch, size_overflow, overlapping_operands,
/// invalid_offset).
SymmSystem symm_system(const SymmProblem& problem, const DeviceProfile& device);

/// Checks the operands of a call whose plan needs a workspace of `workspace_bytes`.
/// Throws Error(invalid_scalar, null_object, foreign_object, invalid_buffer, invalid_offset, buffer_too_small,
/// overlapping_operands, invalid_workspace, workspace_too_small, overlapping_workspace).
void check_symm_operands(const cl::Context& context, const SymmSystem& system, const SymmOperands& operands,
                         std::uint64_t workspace_bytes);

}  // namespace tilewright::detail
