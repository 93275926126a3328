// Fills in the defaults of a problem, and checks the problem and the operands of a call.
#pragma once

#include <vector>

#include "kernels/operands/task_operands.hpp"
#include "qr/qr_problem.hpp"

namespace tilewright::detail {

/// Bytes of an info.
inline constexpr std::uint64_t info_bytes = 8;

using QrOperand = TaskOperand<QrOperands>;

/// Returns the problem with its leading dimensions and strides filled in.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, invalid_batch, invalid_configuration).
QrProblem completed(const QrProblem& problem, const DeviceProfile& device);

/// Returns the operands of a completed problem, in the order in which they are checked.
std::vector<QrOperand> operands_of(const QrProblem& problem);

/// Checks the sizes of the operands and the strides of the batch. Throws Error(size_overflow, overlapping_operands).
void check_problem(const QrProblem& problem);

/// Checks the operands of a call. Throws Error(null_object, foreign_object, invalid_buffer, invalid_offset,
/// buffer_too_small, overlapping_operands, invalid_workspace, workspace_too_small, overlapping_workspace).
void check_operands(const cl::Context& context, const QrProblem& problem, const QrOperands& operands,
                    std::uint64_t workspace_bytes);

/// Whether the problem has nothing to compute.
bool is_empty(const QrProblem& problem);

}  // namespace tilewright::detail
