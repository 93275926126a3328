#include "gemm/operand_check.hpp"

#include <array>
#include <optional>
#include <string>

#include "gemm/batch_places.hpp"
#include "gemm/overlap.hpp"

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

// Matrices, or a workspace, in the buffer that really holds them: a sub-buffer is a part of another one.
struct Placed {
  PlacedMatrices matrices;
  cl_mem root;
};

std::string shape_of(const StoredMatrix& matrix, Layout layout) {
  return std::to_string(matrix.rows) + (layout == Layout::row_major ? " rows of " : " columns of ") +
         std::to_string(matrix.columns) + ", " + std::to_string(matrix.ld) + " apart";
}

void check_alignment(const char* of, const NamedMatrix& named, std::uint64_t offset, const GemmProblem& problem) {
  if (offset % problem.offset_alignment != 0)
    throw Error(ErrorCode::invalid_offset, named.operand,
                std::string(of) + named.name + " is " + std::to_string(offset) +
                    ", but the plan was promised multiples of " + std::to_string(problem.offset_alignment) +
                    "; lower GemmProblem::offset_alignment");
}

Placed placed_in_root(cl_mem buffer, PlacedMatrices matrices, std::size_t element) {
  const auto parent = query<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT);
  if (parent == nullptr) return {matrices, buffer};
  matrices.begin += query<std::size_t>(buffer, CL_MEM_OFFSET) / element;
  return {matrices, parent};
}

// How a call uses a matrix.
struct Use {
  bool read;
  bool written;
};

void check_flags(cl_mem buffer, Use use, const NamedMatrix& named) {
  const auto flags = query<cl_mem_flags>(buffer, CL_MEM_FLAGS);
  const auto refuse = [&](const std::string& how) {
    throw Error(ErrorCode::invalid_buffer, named.operand,
                std::string("the buffer of ") + named.name + " was created " + how);
  };
  if (use.written && (flags & CL_MEM_READ_ONLY) != 0)
    refuse(std::string("CL_MEM_READ_ONLY, but ") + named.name + " is written");
  if (use.read && (flags & CL_MEM_WRITE_ONLY) != 0)
    refuse(std::string("CL_MEM_WRITE_ONLY, but it is read") + (use.written ? ", as beta is not 0" : ""));
}

Placed check_matrices(const cl::Context& context, const GemmProblem& problem, Layout layout, const NamedMatrix& named,
                      const MatrixRef& ref, const BatchPlaces& places, Use use) {
  const std::string subject = std::string("the buffer of ") + named.name;
  const StoredMatrix matrix = named.stored(problem);
  if (ref.buffer == nullptr) throw Error(ErrorCode::null_object, named.operand, subject + " is null");
  if (query<cl_context>(ref.buffer, CL_MEM_CONTEXT) != context())
    throw Error(ErrorCode::foreign_object, named.operand, subject + " belongs to another context than the plan");
  if (query<cl_mem_object_type>(ref.buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER)
    throw Error(ErrorCode::invalid_buffer, named.operand, subject + " is an image; matrices are in buffers");
  check_flags(ref.buffer, use, named);
  check_alignment("the offset of ", named, ref.offset, problem);
  const std::uint64_t held = query<std::size_t>(ref.buffer, CL_MEM_SIZE) / size_of(problem.type);
  const std::uint64_t last = places.last();
  if (matrix.extent() > held || last > held - matrix.extent() || ref.offset > held - matrix.extent() - last)
    throw Error(
        ErrorCode::buffer_too_small, named.operand,
        subject + " holds " + std::to_string(held) + " elements, but " + named.name + " takes " +
            std::to_string(matrix.extent()) + " from offset " + std::to_string(ref.offset) + " on (" +
            shape_of(matrix, layout) + ")" +
            (is_batched(problem) ? ", and the last one of the batch lies " + std::to_string(last) + " after the first"
                                 : std::string()));
  return placed_in_root(ref.buffer, {matrix, places, ref.offset}, size_of(problem.type));
}

Answer overlap(const Placed& x, const Placed& y) {
  return x.root == y.root ? detail::overlap(x.matrices, y.matrices) : Answer::no;
}

void check_apart(const Placed& c, const Placed& other, const NamedMatrix& named) {
  const Answer answer = overlap(c, other);
  if (answer == Answer::no) return;
  const std::string others = std::string("C ") + (answer == Answer::yes ? "shares" : "may share") + " elements with " +
                             named.name + " in one buffer";
  throw Error(ErrorCode::overlapping_operands, OperandName::c,
              others + (answer == Answer::yes
                            ? "; the product cannot be in place"
                            : ": their matrices lie between each other's rows in more ways than can be checked; give "
                              "them the same leading dimension or ranges of their own"));
}

// By offsets; by strides they are known to be apart.
void check_batch_apart(const Placed& c) {
  if (const auto distance = overlap_within(c.matrices))
    throw Error(ErrorCode::overlapping_operands, OperandName::c,
                "two matrices C of the batch share elements, " + std::to_string(*distance) + " from one to the other");
}

Placed check_workspace(const OperandRules& rules, const WorkspaceRef& lent) {
  constexpr auto workspace = OperandName::workspace;
  if (query<cl_context>(lent.buffer, CL_MEM_CONTEXT) != rules.context())
    throw Error(ErrorCode::foreign_object, workspace, "the workspace belongs to another context than the plan");
  if (query<cl_mem_object_type>(lent.buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER ||
      (query<cl_mem_flags>(lent.buffer, CL_MEM_FLAGS) & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)) != 0)
    throw Error(ErrorCode::invalid_workspace, workspace, "the workspace is no buffer that kernels may read and write");
  if (lent.offset % workspace_alignment != 0)
    throw Error(ErrorCode::invalid_workspace, workspace,
                "the workspace's offset is " + std::to_string(lent.offset) + " bytes, but must be a multiple of " +
                    std::to_string(workspace_alignment));
  const std::uint64_t held = query<std::size_t>(lent.buffer, CL_MEM_SIZE);
  if (rules.workspace_bytes > held || lent.offset > held - rules.workspace_bytes)
    throw Error(ErrorCode::workspace_too_small, workspace,
                "the workspace holds " + std::to_string(held) + " bytes, but the plan takes " +
                    std::to_string(rules.workspace_bytes) + " from offset " + std::to_string(lent.offset) + " on");
  const std::size_t element = size_of(rules.problem.type);
  const std::uint64_t elements = rules.workspace_bytes / element;
  return placed_in_root(lent.buffer, {{1, elements, elements}, BatchPlaces(1, 0), lent.offset / element}, element);
}

}  // namespace

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
    // Some drivers never tell a command that waits for an event which has failed already.
    if (const auto status = query<cl_int>(event, CL_EVENT_COMMAND_EXECUTION_STATUS); status < 0)
      throw Error(ErrorCode::failed_wait, "an event of the wait list has failed with status " + std::to_string(status),
                  status);
  }
}

void check_offset_counts(const GemmProblem& problem, Layout layout, const GemmOffsets& offsets) {
  if (!problem.batch.by_offsets) return;
  for (const NamedMatrix& named : matrices_of_caller(layout))
    if (const std::size_t count = (offsets.*named.offsets).size(); count != problem.batch.count)
      throw Error(ErrorCode::invalid_batch, named.operand,
                  std::to_string(count) + " offsets were given for " + named.name + ", but " +
                      std::to_string(problem.batch.count) + " products are to be done");
}

void check_operands(const OperandRules& rules, const GemmOperands& operands) {
  const GemmProblem& problem = rules.problem;
  const GemmBatch& batch = problem.batch;
  std::array<std::optional<Placed>, 3> placed;
  const auto& matrices = matrices_of_caller(rules.layout);
  if (!is_empty(problem)) {
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      const NamedMatrix& named = matrices[i];
      const auto offsets = operands.offsets.*named.offsets;
      if (batch.by_offsets && rules.new_offsets)
        for (const std::uint64_t offset : offsets)
          check_alignment("an offset of the batch for ", named, offset, problem);
      const bool is_c = named.operand == OperandName::c;
      const bool is_read = is_c ? rules.reads.c : named.ref == &GemmOperands::a ? rules.reads.a : rules.reads.b;
      if (is_read || is_c)
        placed[i] = check_matrices(
            rules.context, problem, rules.layout, named, operands.*named.ref,
            batch.by_offsets ? BatchPlaces(offsets) : BatchPlaces(batch.count, batch.*named.stride), {is_read, is_c});
    }
    if (batch.by_offsets && rules.new_offsets) check_batch_apart(*placed[2]);
    for (std::size_t i = 0; i < 2; ++i)
      if (placed[i]) check_apart(*placed[2], *placed[i], matrices[i]);
  }
  if (operands.workspace.buffer == nullptr) return;
  const Placed workspace = check_workspace(rules, operands.workspace);
  for (std::size_t i = 0; i < matrices.size(); ++i)
    if (placed[i] && overlap(workspace, *placed[i]) != Answer::no)
      throw Error(ErrorCode::overlapping_workspace, OperandName::workspace,
                  std::string("the workspace shares memory with ") + matrices[i].name);
}

void check_input(const cl::Context& context, const GemmProblem& problem, Layout layout, const MatrixRef& ref,
                 const NamedMatrix& named) {
  check_matrices(context, problem, layout, named, ref, BatchPlaces(problem.batch.count, problem.batch.*named.stride),
                 {true, false});
}

}  // namespace tilewright::detail
