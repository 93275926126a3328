// Checks that every operation makes of a call's operands: objects, buffers, extents and overlaps.
#pragma once

#include <array>
#include <optional>
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
  Layout layout = Layout::row_major;  ///< the caller's, for messages
  StoredMatrix matrix{};
  BatchOffsets places;
  MatrixRef ref;
  std::size_t element = 0;             ///< bytes
  std::uint64_t offset_alignment = 1;  ///< the alignment that the plan was promised
  bool batched = false;
  bool read = false;
  bool written = false;
  bool new_offsets = false;   ///< a batch by offsets whose alignment is not known
  const char* why_read = "";  ///< for messages: ", as beta is not 0"
  /// Ends the message if a written operand overlaps this one, or another one without such a hint.
  const char* overlap_hint = "";
};

/// Matrices or a workspace in the buffer that holds their memory: for a sub-buffer, its parent.
struct PlacedOperand {
  PlacedMatrices matrices;
  cl_mem root = nullptr;
  std::size_t element = 1;  ///< bytes
};

/// Checks one operand alone. Throws Error(null_object, foreign_object, invalid_buffer, invalid_offset,
/// buffer_too_small).
PlacedOperand check_matrices(const cl::Context& context, const OperandUse& use);

/// Whether operands share memory.
Answer overlap(const PlacedOperand& x, const PlacedOperand& y);

/// Throws Error(overlapping_operands) if written matrices share elements with others, or if that cannot be excluded.
/// `hint` ends the message of the first case.
void check_apart(const OperandLabel& written, const PlacedOperand& result, const OperandLabel& other,
                 const PlacedOperand& input, const char* hint);

/// The check of all operands of a call, in the order in which they are added.
class OperandCheck {
 public:
  explicit OperandCheck(const cl::Context& context) : context_(context) {}

  /// Checks one operand alone, as check_matrices() does. Returns its place, or null for an operand that is neither read
  /// nor written, which is ignored. A call has at most 6 operands.
  const PlacedOperand* add(const OperandUse& use);

  /// Throws Error(overlapping_operands) if a written operand shares elements with another one.
  void check_all_apart() const;

  /// Checks the workspace that a caller lends, if any, of which the plan needs `bytes`. Throws Error(foreign_object,
  /// invalid_workspace, workspace_too_small, overlapping_workspace).
  void check_workspace(const WorkspaceRef& lent, std::uint64_t bytes) const;

  /// Does both, after all operands are added.
  void finish(const WorkspaceRef& lent, std::uint64_t bytes) const {
    check_all_apart();
    check_workspace(lent, bytes);
  }

 private:
  struct Added {
    OperandLabel label;
    bool written;
    const char* overlap_hint;
    PlacedOperand placed;
  };

  const cl::Context& context_;
  std::array<std::optional<Added>, 6> added_{};
  std::size_t count_ = 0;
};

}  // namespace tilewright::detail
