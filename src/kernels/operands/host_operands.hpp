// Checks of operands in host memory, which have pointers instead of buffers.
#pragma once

#include "kernels/operands/batch_offsets.hpp"
#include "kernels/operands/stored_matrix.hpp"

namespace tilewright::detail {

/// The matrices of one operand in host memory, as passed to a call.
struct HostOperand {
  OperandLabel label;
  StoredMatrix matrix;
  BatchOffsets places;
  std::size_t element = 0;  ///< bytes
  const void* data = nullptr;
};

/// Throws Error(null_object) for a null pointer and Error(invalid_offset) for one that is not aligned to its elements.
void check_pointer(const HostOperand& operand);

/// Throws Error(overlapping_operands), about `read`, if it shares elements with `written`, or if the bounded check
/// cannot exclude that. Both operands must have passed check_pointer() and have elements of equal size.
void check_apart(const HostOperand& written, const HostOperand& read);

}  // namespace tilewright::detail
