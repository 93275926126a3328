#include "kernels/operands/operand_check.hpp"

#include <algorithm>
#include <string>

#include "kernels/launch.hpp"

namespace tilewright::detail {
namespace {

template <class T>
T query(cl_mem buffer, cl_mem_info what) {
  T value{};
  check(clGetMemObjectInfo(buffer, what, sizeof value, &value, nullptr), "clGetMemObjectInfo");
  return value;
}

template <class T>
T query(cl_command_queue queue, cl_command_queue_info what) {
  T value{};
  check(clGetCommandQueueInfo(queue, what, sizeof value, &value, nullptr), "clGetCommandQueueInfo");
  return value;
}

template <class T>
T query(cl_event event, cl_event_info what) {
  T value{};
  check(clGetEventInfo(event, what, sizeof value, &value, nullptr), "clGetEventInfo");
  return value;
}

std::string shape_of(const StoredMatrix& matrix, Layout layout) {
  if (matrix.columns == 1) return std::to_string(matrix.rows) + " elements, " + std::to_string(matrix.ld) + " apart";
  return std::to_string(matrix.rows) + (layout == Layout::row_major ? " rows of " : " columns of ") +
         std::to_string(matrix.columns) + ", " + std::to_string(matrix.ld) + " apart";
}

// Null unless the buffer is a sub-buffer.
cl_mem parent_of(cl_mem buffer) { return query<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT); }

// Returns the flags that a buffer was created with, and its parent's. Drivers differ in the flags they report for a
// sub-buffer that was created with none of its own.
cl_mem_flags flags_of(cl_mem buffer, cl_mem parent) {
  auto flags = query<cl_mem_flags>(buffer, CL_MEM_FLAGS);
  if (parent != nullptr) flags |= query<cl_mem_flags>(parent, CL_MEM_FLAGS);
  return flags;
}

PlacedOperand placed_in_root(cl_mem buffer, cl_mem parent, PlacedMatrices matrices, std::size_t element) {
  if (parent == nullptr) return {matrices, buffer, element};
  matrices.begin += query<std::size_t>(buffer, CL_MEM_OFFSET) / element;
  return {matrices, parent, element};
}

void check_flags(const OperandUse& use, cl_mem parent) {
  const cl_mem_flags flags = flags_of(use.ref.buffer, parent);
  const auto refuse = [&](const std::string& how) {
    throw Error(ErrorCode::invalid_buffer, use.label.operand,
                std::string("the buffer of ") + use.label.name + " was created " + how);
  };
  if (use.written && (flags & CL_MEM_READ_ONLY) != 0)
    refuse(std::string("CL_MEM_READ_ONLY, but ") + use.label.name + " is written");
  if (use.read && (flags & CL_MEM_WRITE_ONLY) != 0)
    refuse(std::string("CL_MEM_WRITE_ONLY, but it is read") + use.why_read);
}

// Throws if an offset breaks the promised alignment; `of` is "the offset of ".
void check_alignment(const char* of, const OperandLabel& label, std::uint64_t offset, std::uint64_t promised) {
  if (offset % promised != 0)
    throw Error(ErrorCode::invalid_offset, label.operand,
                std::string(of) + label.name + " is " + std::to_string(offset) +
                    ", but the plan was promised multiples of " + std::to_string(promised) +
                    "; lower the problem's offset_alignment");
}

// Checks a workspace of `bytes` bytes that the caller lends.
PlacedOperand placed_workspace(const cl::Context& context, const WorkspaceRef& lent, std::uint64_t bytes) {
  constexpr auto workspace = OperandName::workspace;
  if (query<cl_context>(lent.buffer, CL_MEM_CONTEXT) != context())
    throw Error(ErrorCode::foreign_object, workspace, "the workspace belongs to another context than the plan");
  const cl_mem parent = parent_of(lent.buffer);
  if (query<cl_mem_object_type>(lent.buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER ||
      (flags_of(lent.buffer, parent) & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)) != 0)
    throw Error(ErrorCode::invalid_workspace, workspace,
                "the workspace must be a buffer that kernels may read and write");
  if (lent.offset % workspace_alignment != 0)
    throw Error(ErrorCode::invalid_workspace, workspace,
                "the workspace's offset is " + std::to_string(lent.offset) + " bytes, but must be a multiple of " +
                    std::to_string(workspace_alignment));
  const std::uint64_t held = query<std::size_t>(lent.buffer, CL_MEM_SIZE);
  if (bytes > held || lent.offset > held - bytes)
    throw Error(ErrorCode::workspace_too_small, workspace,
                "the workspace holds " + std::to_string(held) + " bytes, but the plan takes " + std::to_string(bytes) +
                    " from offset " + std::to_string(lent.offset) + " on");
  return placed_in_root(lent.buffer, parent, {{1, bytes, bytes}, BatchOffsets(1, 0), lent.offset}, 1);
}

}  // namespace

bool is_host_readable(cl_mem buffer) {
  return (flags_of(buffer, parent_of(buffer)) & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY)) == 0;
}

void check_queue(const cl::Context& context, const cl::Device& device, cl_command_queue queue,
                 std::span<const cl_event> waits) {
  if (queue == nullptr) throw Error(ErrorCode::null_object, "the command queue is null");
  if (query<cl_context>(queue, CL_QUEUE_CONTEXT) != context())
    throw Error(ErrorCode::foreign_object, "the command queue belongs to another context than the plan");
  if (query<cl_device_id>(queue, CL_QUEUE_DEVICE) != device())
    throw Error(ErrorCode::foreign_object, "the command queue belongs to another device than the plan");
  for (const cl_event event : waits) {
    if (event == nullptr) throw Error(ErrorCode::null_object, "an event of the wait list is null");
    if (query<cl_context>(event, CL_EVENT_CONTEXT) != context())
      throw Error(ErrorCode::foreign_object, "an event of the wait list belongs to another context than the plan");
    // Some drivers never notify a command of a failed event if the event failed before the command was enqueued.
    if (const auto status = query<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS); status < 0)
      throw Error(ErrorCode::failed_wait, "an event of the wait list has failed with status " + std::to_string(status),
                  status);
  }
}

PlacedOperand check_matrices(const cl::Context& context, const OperandUse& use) {
  const auto& [name, operand] = use.label;
  const std::string subject = std::string("the buffer of ") + name;
  const MatrixRef& ref = use.ref;
  if (ref.buffer == nullptr) throw Error(ErrorCode::null_object, operand, subject + " is null");
  if (query<cl_context>(ref.buffer, CL_MEM_CONTEXT) != context())
    throw Error(ErrorCode::foreign_object, operand, subject + " belongs to another context than the plan");
  if (query<cl_mem_object_type>(ref.buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER)
    throw Error(ErrorCode::invalid_buffer, operand, subject + " is an image; pass a buffer");
  const cl_mem parent = parent_of(ref.buffer);
  check_flags(use, parent);
  check_alignment("the offset of ", use.label, ref.offset, use.offset_alignment);
  const std::uint64_t held = query<std::size_t>(ref.buffer, CL_MEM_SIZE) / use.element;
  const std::uint64_t extent = use.matrix.extent(), last = use.places.last();
  if (extent > held || last > held - extent || ref.offset > held - extent - last)
    throw Error(
        ErrorCode::buffer_too_small, operand,
        subject + " holds " + std::to_string(held) + " elements, but " + name + " takes " + std::to_string(extent) +
            " from offset " + std::to_string(ref.offset) + " on (" + shape_of(use.matrix, use.layout) + ")" +
            (use.batched ? ", and the last one of the batch starts " + std::to_string(last) + " after the first" : ""));
  return placed_in_root(ref.buffer, parent, {use.matrix, use.places, ref.offset}, use.element);
}

Answer overlap(const PlacedOperand& x, const PlacedOperand& y) {
  if (x.root != y.root) return Answer::no;
  const std::size_t unit = std::min(x.element, y.element);  // sizes are powers of two
  return overlap(in_parts(x.matrices, x.element / unit), in_parts(y.matrices, y.element / unit));
}

void check_apart(const OperandLabel& written, const PlacedOperand& result, const OperandLabel& other,
                 const PlacedOperand& input, const char* hint) {
  const Answer answer = overlap(result, input);
  if (answer == Answer::no) return;
  const std::string others = std::string(written.name) + (answer == Answer::yes ? " shares" : " may share") +
                             " elements with " + other.name + " in one buffer";
  throw Error(ErrorCode::overlapping_operands, written.operand,
              others + (answer == Answer::yes ? hint
                                              : ": the interleaving of their rows is too complex to check; use "
                                                "equal leading dimensions or separate ranges"));
}

const PlacedOperand* OperandCheck::add(const OperandUse& use) {
  if (use.new_offsets)
    for (std::uint64_t x = 0; x < use.places.count(); ++x)
      check_alignment("an offset of the batch for ", use.label, use.places[x], use.offset_alignment);
  if (!use.read && !use.written) return nullptr;
  return &added_.at(count_++)
              .emplace(Added{use.label, use.written, use.overlap_hint, check_matrices(context_, use)})
              .placed;
}

void OperandCheck::check_all_apart() const {
  for (std::size_t i = 0; i < count_; ++i) {
    const Added& written = *added_[i];
    if (!written.written) continue;
    for (std::size_t k = 0; k < count_; ++k) {
      const Added& other = *added_[k];
      if (k == i || (other.written && k > i)) continue;  // a pair of written operands is checked once
      const bool has_hint = !other.written && *other.overlap_hint != '\0';
      check_apart(written.label, written.placed, other.label, other.placed,
                  has_hint ? other.overlap_hint : written.overlap_hint);
    }
  }
}

void OperandCheck::check_workspace(const WorkspaceRef& lent, std::uint64_t bytes) const {
  if (lent.buffer == nullptr) return;
  const PlacedOperand workspace = placed_workspace(context_, lent, bytes);
  for (std::size_t i = 0; i < count_; ++i)
    if (overlap(workspace, added_[i]->placed) != Answer::no)
      throw Error(ErrorCode::overlapping_workspace, OperandName::workspace,
                  std::string("the workspace shares memory with ") + added_[i]->label.name);
}

}  // namespace tilewright::detail
