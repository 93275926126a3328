#include "gemm/operand_check.hpp"

#include <string>

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

// A matrix in the buffer that really holds it: a sub-buffer is a part of another one.
struct Placed {
  StoredMatrix matrix;
  cl_mem root;
  std::uint64_t begin;  // in elements of the root
};

Placed check_matrix(const cl::Context& context, const MatrixRef& ref, const StoredMatrix& matrix,
                    const GemmProblem& problem, cl_mem_flags forbidden_flag, char name) {
  const std::string subject = std::string("the buffer of ") + name;
  if (ref.buffer == nullptr) throw Error(ErrorCode::null_object, subject + " is null");
  if (query<cl_context>(ref.buffer, CL_MEM_CONTEXT) != context())
    throw Error(ErrorCode::foreign_object, subject + " belongs to another context than the plan");
  if (query<cl_mem_object_type>(ref.buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER)
    throw Error(ErrorCode::invalid_buffer, subject + " is an image; matrices are in buffers");
  if (query<cl_mem_flags>(ref.buffer, CL_MEM_FLAGS) & forbidden_flag)
    throw Error(ErrorCode::invalid_buffer,
                subject + (forbidden_flag == CL_MEM_READ_ONLY ? " was created CL_MEM_READ_ONLY, but C is written"
                                                              : " was created CL_MEM_WRITE_ONLY, but it is read"));
  if (ref.offset % problem.offset_alignment != 0)
    throw Error(ErrorCode::invalid_offset, std::string("the offset of ") + name + " is " + std::to_string(ref.offset) +
                                               ", but the plan was promised multiples of " +
                                               std::to_string(problem.offset_alignment) +
                                               "; lower GemmProblem::offset_alignment");
  const std::uint64_t held = query<std::size_t>(ref.buffer, CL_MEM_SIZE) / size_of(problem.type);
  if (matrix.extent() > held || ref.offset > held - matrix.extent())
    throw Error(ErrorCode::buffer_too_small, subject + " holds " + std::to_string(held) + " elements, but " + name +
                                                 " takes " + std::to_string(matrix.extent()) + " from offset " +
                                                 std::to_string(ref.offset) + " on (" + std::to_string(matrix.rows) +
                                                 " rows of " + std::to_string(matrix.columns) + ", " +
                                                 std::to_string(matrix.ld) + " apart)");
  if (const auto parent = query<cl_mem>(ref.buffer, CL_MEM_ASSOCIATED_MEMOBJECT); parent != nullptr)
    return {matrix, parent, ref.offset + query<std::size_t>(ref.buffer, CL_MEM_OFFSET) / size_of(problem.type)};
  return {matrix, ref.buffer, ref.offset};
}

void check_apart(const Placed& c, const Placed& other, char c_name, char other_name) {
  if (c.root == other.root && overlap(c.matrix, c.begin, other.matrix, other.begin))
    throw Error(ErrorCode::overlapping_operands, std::string(1, c_name) + " shares elements with " + other_name +
                                                     " in one buffer; the product cannot be in place");
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
  }
}

void check_operands(const cl::Context& context, const GemmProblem& problem, const GemmOperands& operands,
                    bool reads_operands, const char* names) {
  if (problem.m == 0 || problem.n == 0) return;

  const Placed c = check_matrix(context, operands.c, stored_c(problem), problem, CL_MEM_READ_ONLY, names[2]);
  if (!reads_operands) return;
  const Placed a = check_matrix(context, operands.a, stored_a(problem), problem, CL_MEM_WRITE_ONLY, names[0]);
  const Placed b = check_matrix(context, operands.b, stored_b(problem), problem, CL_MEM_WRITE_ONLY, names[1]);
  check_apart(c, a, names[2], names[0]);
  check_apart(c, b, names[2], names[1]);
}

}  // namespace tilewright::detail
