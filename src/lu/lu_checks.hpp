// Fills in the defaults of a problem, and checks the problem and the operands of a call.
#pragma once

#include <vector>

#include "kernels/operands/task_operands.hpp"
#include "lu/lu_problem.hpp"

namespace tilewright::detail {

/// The steps of a task.
struct LuUse {
  bool factors = false;     ///< factors A, and writes pivots and info
  bool solves = false;      ///< overwrites B with X
  bool inverts = false;     ///< writes the inverse to B
  bool determines = false;  ///< writes the determinant
};

LuUse use_of(LuTask task);

using LuOperand = TaskOperand<LuOperands>;

/// Returns the problem with its leading dimensions and strides filled in.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset, invalid_batch, invalid_configuration).
LuProblem completed(const LuProblem& problem, const DeviceProfile& device);

/// Returns the operands of a completed problem, in the order in which they are checked.
std::vector<LuOperand> operands_of(const LuProblem& problem);

/// Checks the sizes of the operands and the strides of the batch. Throws Error(size_overflow, overlapping_operands).
void check_problem(const LuProblem& problem);

/// Checks the operands of a call. Throws Error(null_object, foreign_object, invalid_buffer, invalid_offset,
/// buffer_too_small, overlapping_operands, invalid_workspace, workspace_too_small, overlapping_workspace).
void check_operands(const cl::Context& context, const LuProblem& problem, const LuOperands& operands,
                    std::uint64_t workspace_bytes);

/// Whether the problem has nothing to compute.
bool is_empty(const LuProblem& problem);

}  // namespace tilewright::detail
