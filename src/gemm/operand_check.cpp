#include "gemm/operand_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

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

// The matrices of an operand.
struct Matrices {
  StoredMatrix matrix;
  BatchPlaces places;
};

// They in the buffer that really holds them: a sub-buffer is a part of another one.
struct Placed {
  Matrices matrices;
  cl_mem root;
  std::uint64_t begin;  // in elements of the root

  std::uint64_t first() const { return begin + matrices.places.first(); }
  std::uint64_t end() const { return begin + matrices.places.last() + matrices.matrix.extent(); }
};

void check_alignment(const char* of, char name, std::uint64_t offset, const GemmProblem& problem) {
  if (offset % problem.offset_alignment != 0)
    throw Error(ErrorCode::invalid_offset,
                std::string(of) + name + " is " + std::to_string(offset) + ", but the plan was promised multiples of " +
                    std::to_string(problem.offset_alignment) + "; lower GemmProblem::offset_alignment");
}

Placed check_matrices(const cl::Context& context, const MatrixRef& ref, const Matrices& matrices,
                      const GemmProblem& problem, cl_mem_flags forbidden_flag, char name) {
  const std::string subject = std::string("the buffer of ") + name;
  const StoredMatrix& matrix = matrices.matrix;
  if (ref.buffer == nullptr) throw Error(ErrorCode::null_object, subject + " is null");
  if (query<cl_context>(ref.buffer, CL_MEM_CONTEXT) != context())
    throw Error(ErrorCode::foreign_object, subject + " belongs to another context than the plan");
  if (query<cl_mem_object_type>(ref.buffer, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER)
    throw Error(ErrorCode::invalid_buffer, subject + " is an image; matrices are in buffers");
  if (query<cl_mem_flags>(ref.buffer, CL_MEM_FLAGS) & forbidden_flag)
    throw Error(ErrorCode::invalid_buffer,
                subject + (forbidden_flag == CL_MEM_READ_ONLY ? " was created CL_MEM_READ_ONLY, but C is written"
                                                              : " was created CL_MEM_WRITE_ONLY, but it is read"));
  check_alignment("the offset of ", name, ref.offset, problem);
  const std::uint64_t held = query<std::size_t>(ref.buffer, CL_MEM_SIZE) / size_of(problem.type);
  const std::uint64_t last = matrices.places.last();
  if (matrix.extent() > held || last > held - matrix.extent() || ref.offset > held - matrix.extent() - last)
    throw Error(ErrorCode::buffer_too_small,
                subject + " holds " + std::to_string(held) + " elements, but " + name + " takes " +
                    std::to_string(matrix.extent()) + " from offset " + std::to_string(ref.offset) + " on (" +
                    std::to_string(matrix.rows) + " rows of " + std::to_string(matrix.columns) + ", " +
                    std::to_string(matrix.ld) + " apart)" +
                    (is_batched(problem) ? ", and the last one of the batch lies " + std::to_string(last) + " behind"
                                         : std::string()));
  if (const auto parent = query<cl_mem>(ref.buffer, CL_MEM_ASSOCIATED_MEMOBJECT); parent != nullptr)
    return {matrices, parent, ref.offset + query<std::size_t>(ref.buffer, CL_MEM_OFFSET) / size_of(problem.type)};
  return {matrices, ref.buffer, ref.offset};
}

std::vector<std::uint64_t> sorted_begins(const Placed& placed) {
  std::vector<std::uint64_t> begins(placed.matrices.places.count());
  for (std::uint64_t x = 0; x < begins.size(); ++x) begins[x] = placed.begin + placed.matrices.places[x];
  std::sort(begins.begin(), begins.end());
  return begins;
}

void check_apart(const Placed& c, const Placed& other, char c_name, char other_name) {
  if (c.root != other.root || c.end() <= other.first() || other.end() <= c.first()) return;
  const StoredMatrix& matrix = other.matrices.matrix;
  const auto others = sorted_begins(other);
  for (const std::uint64_t begin : sorted_begins(c)) {
    // Those that begin before this C ends, without the ones that end before it begins.
    const std::uint64_t reach = begin < matrix.extent() ? 0 : begin - matrix.extent() + 1;
    for (auto at = std::lower_bound(others.begin(), others.end(), reach);
         at != others.end() && *at < begin + c.matrices.matrix.extent(); ++at)
      if (overlap(c.matrices.matrix, begin, matrix, *at))
        throw Error(ErrorCode::overlapping_operands, std::string(1, c_name) + " shares elements with " + other_name +
                                                         " in one buffer; the product cannot be in place");
  }
}

// By offsets; by strides they are known to be apart.
void check_batch_apart(const Placed& c, char name) {
  const StoredMatrix& matrix = c.matrices.matrix;
  const auto begins = sorted_begins(c);
  for (auto one = begins.begin(); one != begins.end(); ++one)
    for (auto other = one + 1; other != begins.end() && *other < *one + matrix.extent(); ++other)
      if (overlap(matrix, *one, matrix, *other))
        throw Error(ErrorCode::overlapping_operands, std::string("two matrices ") + name +
                                                         " of the batch share elements, " +
                                                         std::to_string(*other - *one) + " from one to the other");
}

void check_offsets(const GemmProblem& problem, std::span<const std::uint64_t> offsets, char name) {
  if (offsets.size() != problem.batch.count)
    throw Error(ErrorCode::invalid_batch, std::to_string(offsets.size()) + " offsets were given for " + name +
                                              ", but " + std::to_string(problem.batch.count) +
                                              " products are to be done");
  for (const std::uint64_t offset : offsets) check_alignment("an offset of the batch for ", name, offset, problem);
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
                    InputsRead reads, bool new_offsets, const char* names) {
  if (is_empty(problem)) return;

  const GemmBatch& batch = problem.batch;
  if (batch.by_offsets && new_offsets) {
    check_offsets(problem, operands.offsets.a, names[0]);
    check_offsets(problem, operands.offsets.b, names[1]);
    check_offsets(problem, operands.offsets.c, names[2]);
  }
  const auto placed = [&](const MatrixRef& ref, const StoredMatrix& matrix, std::uint64_t stride,
                          std::span<const std::uint64_t> offsets, cl_mem_flags forbidden_flag, char name) {
    const BatchPlaces places = batch.by_offsets ? BatchPlaces(offsets) : BatchPlaces(batch.count, stride);
    return check_matrices(context, ref, {matrix, places}, problem, forbidden_flag, name);
  };
  const Placed c =
      placed(operands.c, stored_c(problem), batch.stride_c, operands.offsets.c, CL_MEM_READ_ONLY, names[2]);
  if (batch.by_offsets && new_offsets) check_batch_apart(c, names[2]);
  if (reads.a)
    check_apart(c,
                placed(operands.a, stored_a(problem), batch.stride_a, operands.offsets.a, CL_MEM_WRITE_ONLY, names[0]),
                names[2], names[0]);
  if (reads.b)
    check_apart(c,
                placed(operands.b, stored_b(problem), batch.stride_b, operands.offsets.b, CL_MEM_WRITE_ONLY, names[1]),
                names[2], names[1]);
}

void check_input(const cl::Context& context, const GemmProblem& problem, const MatrixRef& ref, Operand input,
                 char name) {
  const bool is_a = input == Operand::a;
  const std::uint64_t stride = is_a ? problem.batch.stride_a : problem.batch.stride_b;
  check_matrices(context, ref, {is_a ? stored_a(problem) : stored_b(problem), BatchPlaces(problem.batch.count, stride)},
                 problem, CL_MEM_WRITE_ONLY, name);
}

}  // namespace tilewright::detail
