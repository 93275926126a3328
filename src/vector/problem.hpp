// Checks of a problem, and of the operands of a call.
#pragma once

#include <array>
#include <complex>

#include "kernels/operands/operand_check.hpp"
#include "vector/form.hpp"

namespace tilewright::detail {

/// The increments and strides of the operands. A result has increment 1.
std::array<std::int64_t, vector_operands> increments(const VectorProblem& problem);
std::array<std::uint64_t, vector_operands> strides(const VectorProblem& problem);

/// Sets everything that a function ignores to one value, so that equal calls share a plan, and completes the stride of
/// the results.
VectorProblem canonical(VectorFunction function, const VectorProblem& problem);

/// Checks a canonical problem. Throws Error(unsupported_type, invalid_increment, invalid_batch, size_overflow,
/// overlapping_operands).
void check_problem(const DeviceProfile& device, VectorFunction function, const VectorProblem& problem);

/// Checks the operands of a call that is computed by a form, and the lent workspace. Throws Error(null_object,
/// foreign_object, invalid_buffer, buffer_too_small, overlapping_operands, invalid_workspace, workspace_too_small,
/// overlapping_workspace).
void check_operands(const cl::Context& context, const VectorForm& form, const VectorProblem& problem,
                    const VectorOperands& operands, std::complex<double> beta, std::uint64_t workspace_bytes);

}  // namespace tilewright::detail
