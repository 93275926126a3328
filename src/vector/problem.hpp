// The checks of a problem and of a call's operands.
#pragma once

#include <array>

#include "kernels/operands/operand_check.hpp"
#include "vector/vector_plan.hpp"

namespace tilewright::detail {

/// The increments and strides of the operands; those of a result: 1 and its stride.
std::array<std::int64_t, vector_operands> increments(const VectorProblem& problem);
std::array<std::uint64_t, vector_operands> strides(const VectorProblem& problem);

/// Throws Error(unsupported_type, invalid_increment, size_overflow, overlapping_operands) for a canonical problem.
void check_problem(const DeviceProfile& device, VectorOperation operation, const VectorProblem& problem,
                   const VectorOperands& operands);

/// Throws Error(null_object, foreign_object, invalid_buffer, buffer_too_small, overlapping_operands).
void check_operands(const cl::Context& context, VectorOperation operation, const VectorProblem& problem,
                    const VectorOperands& operands);

}  // namespace tilewright::detail
