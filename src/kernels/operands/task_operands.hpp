// The operands of an algorithm's task in a table, and the checks that follow from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/operands/operand_check.hpp"

namespace tilewright::detail {

/// An operand of a task, and how it is stored. `Operands` has the operands of all tasks, and a workspace.
template <class Operands>
struct TaskOperand {
  OperandLabel label{};
  MatrixRef Operands::*ref = nullptr;
  StoredMatrix matrix{};
  std::uint64_t stride = 0;  ///< elements from one problem of a batch to the next
  std::size_t element = 8;   ///< bytes
  bool is_matrix = false;    ///< has the problem's layout, and offsets that must be aligned
  bool read = false;
  bool written = false;
};

/// Returns a dense or padded matrix.
inline StoredMatrix stored(Layout layout, std::uint64_t rows, std::uint64_t columns, std::uint64_t ld) {
  return layout == Layout::row_major ? StoredMatrix{rows, columns, ld} : StoredMatrix{columns, rows, ld};
}

/// Returns a vector.
inline StoredMatrix row_of(std::uint64_t length) { return {1, length, std::max<std::uint64_t>(1, length)}; }

/// Checks the sizes of the operands and the strides of the batch. Throws Error(size_overflow, overlapping_operands).
template <class Problem, class Operands>
void check_task(const Problem& p, const std::vector<TaskOperand<Operands>>& all) {
  for (const TaskOperand<Operands>& operand : all) {
    check_extent(operand.label, operand.matrix, p.layout, operand.element);
    check_batch_extent(operand.label, operand.matrix, operand.stride, p.batch.count, operand.element);
    if (operand.written) check_batch_apart(operand.label, operand.matrix, operand.stride, p.batch.count);
  }
}

/// Checks the operands of a call in the order of the table, then the workspace. Throws what OperandCheck throws.
template <class Problem, class Operands>
void check_task_operands(const cl::Context& context, const Problem& p, const std::vector<TaskOperand<Operands>>& all,
                         const Operands& operands, std::uint64_t workspace_bytes) {
  OperandCheck check(context);
  for (const TaskOperand<Operands>& operand : all) {
    if (operand.matrix.extent() == 0) continue;
    check.add({.label = operand.label,
               .layout = operand.is_matrix ? p.layout : Layout::row_major,
               .matrix = operand.matrix,
               .places = BatchOffsets(p.batch.count, operand.stride),
               .ref = operands.*operand.ref,
               .element = operand.element,
               .offset_alignment = operand.is_matrix ? p.offset_alignment : 1,
               .batched = p.batch.count != 1,
               .read = operand.read,
               .written = operand.written,
               .overlap_hint = "; they must not overlap"});
  }
  check.finish(operands.workspace, workspace_bytes);
}

}  // namespace tilewright::detail
