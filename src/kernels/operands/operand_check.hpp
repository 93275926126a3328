// Checks that every operation makes of a call's operands: objects, buffers, extents and overlaps.
#pragma once

#include <span>

#include "kernels/operands/batch_offsets.hpp"
#include "kernels/operands/overlap.hpp"
#include "kernels/operands/stored_matrix.hpp"
#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Checks the queue and the wait list of one call.
void check_queue(const cl::Context& context, const cl::Device& device, cl_command_queue queue,
                 std::span<const cl_event> waits);

/// Whether the host may read a buffer.
bool is_host_readable(cl_mem buffer);

/// The matrices of one operand, as passed to a call and used by it.
struct OperandUse {
  OperandLabel label;
  StoredMatrix matrix;
  BatchOffsets places;
  MatrixRef ref;
  std::size_t element = 0;             ///< bytes
  std::uint64_t offset_alignment = 1;  ///< the alignment that the plan was promised
  bool batched = false;
  bool read = false;
  bool written = false;
  const char* why_read = "";  ///< for messages: ", as beta is not 0"
};

/// Matrices or a workspace in the buffer that holds their memory: for a sub-buffer, its parent.
struct PlacedOperand {
  PlacedMatrices matrices;
  cl_mem root = nullptr;
  std::size_t element = 1;  ///< bytes
};

/// Throws Error(invalid_offset) if an offset breaks the promised alignment; `of` is "the offset of ".
void check_alignment(const char* of, const OperandLabel& label, std::uint64_t offset, std::uint64_t promised);

/// Checks one operand alone; `layout` is the caller's. Throws Error(null_object, foreign_object, invalid_buffer,
/// invalid_offset, buffer_too_small).
PlacedOperand check_matrices(const cl::Context& context, Layout layout, const OperandUse& use);

/// Whether operands share memory.
Answer overlap(const PlacedOperand& x, const PlacedOperand& y);

/// Throws Error(overlapping_operands) if written matrices share elements with others, or if that cannot be excluded.
/// `hint` ends the message of the first case.
void check_apart(const OperandLabel& written, const PlacedOperand& result, const OperandLabel& other,
                 const PlacedOperand& input, const char* hint);

/// Checks a workspace of `bytes` bytes that the caller lends. Throws Error(foreign_object, invalid_workspace,
/// workspace_too_small).
PlacedOperand check_workspace(const cl::Context& context, const WorkspaceRef& lent, std::uint64_t bytes);

/// Throws Error(overlapping_workspace) if an operand shares memory with the workspace.
void check_workspace_apart(const PlacedOperand& workspace, const OperandLabel& label, const PlacedOperand& operand);

}  // namespace tilewright::detail
