// A problem with every default filled in, and the checks of what it works on.
#pragma once

#include <optional>
#include <vector>

#include "kernels/operands/operand_check.hpp"
#include "tilewright/lu.hpp"

namespace tilewright::detail {

/// What a task does with its operands.
struct LuUse {
  bool factors = false;   ///< A becomes its factors, but with refinements; pivots and info are written
  bool solves = false;    ///< B becomes X
  bool inverts = false;   ///< B becomes the inverse
  bool measures = false;  ///< the determinant is written
};

LuUse use_of(LuTask task);

/// An operand of a task: its place in LuOperands, and how it is stored.
struct LuOperand {
  OperandLabel label{};
  MatrixRef LuOperands::*ref = nullptr;
  StoredMatrix matrix{};
  std::uint64_t stride = 0;
  std::size_t element = 8;
  bool is_matrix = false;  ///< A or B, whose offsets are aligned
  bool read = false;
  bool written = false;
};

/// A problem whose leading dimensions, strides and m are filled in.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_offset), and for refinements that cannot be
/// invalid_configuration and invalid_batch.
LuProblem completed(const LuProblem& problem, const DeviceProfile& device);

/// The operands of a completed problem, in the order in which they are checked.
std::vector<LuOperand> operands_of(const LuProblem& problem);

/// Throws Error(size_overflow, overlapping_operands) for what the problem itself says of its operands.
void check_problem(const LuProblem& problem);

/// Throws what LuPlan::enqueue does for the operands of a call.
void check_operands(const cl::Context& context, const LuProblem& problem, const LuOperands& operands,
                    std::uint64_t workspace_bytes);

/// Whether there is nothing to do.
bool is_empty(const LuProblem& problem);

}  // namespace tilewright::detail
