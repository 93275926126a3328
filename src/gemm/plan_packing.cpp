// The part of a plan that packs matrices once, and recognizes packed matrices.
#include <algorithm>

#include "gemm/operand_check.hpp"
#include "gemm/plan_state.hpp"
#include "kernels/operands/operand_check.hpp"

namespace tilewright {

using namespace detail;

namespace {

StoredMatrix stored(const GemmProblem& problem, std::size_t input) {
  return input == 0 ? stored_a(problem) : stored_b(problem);
}

std::uint64_t stride_of(const GemmProblem& problem, std::size_t input) {
  return input == 0 ? problem.batch.stride_a : problem.batch.stride_b;
}

bool is_transposed(const GemmProblem& problem, std::size_t input) {
  return (input == 0 ? problem.trans_a : problem.trans_b) != Transpose::no;
}

// Elements that an operand spans, including gaps between the matrices of a batch.
std::uint64_t extent_of(const GemmProblem& problem, std::size_t input) {
  return stride_of(problem, input) * (std::max<std::uint64_t>(1, problem.batch.count) - 1) +
         stored(problem, input).extent();
}

}  // namespace

// Everything that plans must agree on to share a packed matrix. A launch that is not shared makes a copy for each
// product.
std::string GemmPlan::State::form_of(std::size_t input) const {
  const GemmProblem& p = problem_;
  const StoredMatrix matrix = stored(p, input);
  const LaunchSequence::Step* const packing = sequence_.packing_of(input);
  std::string form = std::string(to_string(p.type)) + (input == 0 ? " A" : " B") +
                     (is_transposed(p, input) ? " transposed, " : ", ") + std::to_string(matrix.rows) + " x " +
                     std::to_string(matrix.columns);
  if (const std::uint64_t stride = stride_of(p, input); stride != 0)
    form += ", " + std::to_string(p.batch.count) + " of them " + std::to_string(stride) + " apart";
  else if (packing != nullptr && !packing->launch.shared && p.batch.count > 1)
    form += ", " + std::to_string(p.batch.count) + " copies";
  if (p.batch.by_offsets) form += ", by offsets";
  return form + (packing != nullptr ? ", " + packing->launch.packs->form + " for " + explanation_.variant
                                    : ", as stored with " + std::to_string(matrix.ld) + " from row to row");
}

// form_of() in the caller's terms.
std::string GemmPlan::State::description_of(std::size_t input) const {
  const GemmProblem& p = problem_;
  const bool by_rows = asked_.layout == Layout::row_major;
  const StoredMatrix matrix = stored(p, input);
  const LaunchSequence::Step* const packing = sequence_.packing_of(input);
  const std::string count = std::to_string(p.batch.count);
  std::string text = std::string(by_rows ? "a row-major " : "a column-major ") + std::string(to_string(p.type)) +
                     ((input == 0) != swapped_ ? " A" : " B") + (is_transposed(p, input) ? ", transposed" : "") +
                     ", of " + size_of_caller(matrix, asked_.layout) + " elements";
  if (const std::uint64_t stride = stride_of(p, input); stride != 0)
    text += ", " + count + " matrices " + std::to_string(stride) + " elements apart";
  else if (packing != nullptr && !packing->launch.shared && p.batch.count > 1)
    text += ", in " + count + " copies";
  if (p.batch.by_offsets) text += ", by offsets";
  return text + (packing != nullptr ? ", as " + packing->launch.packs->form + " for " + explanation_.variant
                                    : ", as stored, with " + std::to_string(matrix.ld) + " elements from " +
                                          (by_rows ? "row to row" : "column to column"));
}

// The caller's A and B are exchanged if the layouts differ.
std::size_t GemmPlan::State::input_of(GemmInput input) const { return (input == GemmInput::a) != swapped_ ? 0 : 1; }

std::unique_ptr<PackedMatrix::State> GemmPlan::State::pack(GemmInput which, cl_command_queue queue,
                                                           const MatrixRef& source, std::span<const cl_event> waits) {
  check_call(queue, waits);
  const std::size_t input = input_of(which);
  const NamedMatrix& named = matrices_of_caller(asked_.layout)[which == GemmInput::a ? 0 : 1];
  if (core_.is_rewritten())
    throw Error(ErrorCode::unsuitable_packed_matrix, named.label.operand,
                "a plan for " + std::string(to_string(problem_.type)) +
                    " prepares its operands in each call, because they may contain alpha; pass the matrix itself");
  if (problem_.batch.by_offsets)
    throw Error(ErrorCode::invalid_batch, named.label.operand,
                "the plan's batch is by offsets, which are known only in its calls; pack for a batch with strides");
  if (is_empty(problem_) || problem_.k == 0)
    throw Error(ErrorCode::unsuitable_packed_matrix, named.label.operand,
                "there is nothing to pack: the plan never reads A or B, because a size or the batch is 0");
  check_input(context_, problem_, asked_.layout, source, named);

  const LaunchSequence::Step* const packing = sequence_.packing_of(input);
  auto result = std::make_unique<PackedMatrix::State>(PackedMatrix::State{
      context_, device_, form_of(input), description_of(input), packing != nullptr, {}, 0, {}, {}, {}});
  // If the packing waits for events, a stamp waits for the same events and proves that none of them failed.
  constexpr cl_ulong stamp = 1;
  std::vector<cl_event> all_waits(waits.begin(), waits.end());
  cl::Buffer stamps;
  if (!waits.empty()) {
    cl_ulong none = 0;
    stamps = cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof none, &none);
    result->stamped = write_stamp(queue, stamps, stamp, waits);
    all_waits.push_back(result->stamped());
  }
  if (packing == nullptr) {
    result->bytes = extent_of(problem_, input) * size_of(problem_.type);
    result->memory = cl::Buffer(context_, CL_MEM_READ_WRITE, result->bytes);
    cl_event event = nullptr;
    check(clEnqueueCopyBuffer(queue, source.buffer, result->memory(), source.offset * size_of(problem_.type), 0,
                              result->bytes, static_cast<cl_uint>(all_waits.size()),
                              all_waits.empty() ? nullptr : all_waits.data(), &event),
          "clEnqueueCopyBuffer");
    result->ready = cl::Event(event);
  } else {
    CallValues values{.size = problem_.k, .matrices = {source, source}};
    const std::lock_guard lock(mutex_);
    result->ready = cl::Event(
        sequence_.pack(queue, *packing, std::move(values), all_waits, result->memory, result->bytes).release());
  }
  result->execution_check = waits.empty() ? std::make_unique<ExecutionCheck>(result->ready)
                                          : std::make_unique<ExecutionCheck>(queue, result->ready, stamps, 0, stamp);
  // A call that waits for the packing may be on another queue, where it can only wait for flushed commands.
  check(clFlush(queue), "clFlush");
  return result;
}

const PackedMatrix::State* GemmPlan::State::checked(const PackedMatrix* packed, GemmInput input) const {
  if (packed == nullptr) return nullptr;
  const OperandName operand = input == GemmInput::a ? OperandName::a : OperandName::b;
  if (packed->state_ == nullptr)
    throw Error(ErrorCode::null_object, operand, "the packed matrix is empty, because it was moved from");
  const PackedMatrix::State& state = *packed->state_;
  if (state.context() != context_() || state.device() != device_())
    throw Error(ErrorCode::foreign_object, operand,
                "the packed matrix was made in another context or for another device");
  if (state.form != form_of(input_of(input)))
    throw Error(ErrorCode::unsuitable_packed_matrix, operand,
                "the packed matrix is " + state.description + "; this plan needs " + description_of(input_of(input)) +
                    ". Pack it for this plan, or make the plan with the variant and configuration that it was "
                    "packed for");
  return &state;
}

// Waits for a packing, on whatever queue it is, as long as it may still fail.
void GemmPlan::State::append_packings(const PackedInputs& packed, std::vector<cl_event>& waits) const {
  for (std::size_t input = 0; input < packed.size(); ++input) {
    if (packed[input] == nullptr) continue;
    const OperandName operand = (input == 0) != swapped_ ? OperandName::a : OperandName::b;
    switch (packed[input]->execution_check->outcome()) {
      case ExecutionCheck::Outcome::failed:
        throw Error(ErrorCode::failed_wait, operand,
                    std::string("packing ") + std::string(to_string(operand)) + " failed; pack it again");
      case ExecutionCheck::Outcome::pending:
        packed[input]->execution_check->append_to(waits);
        break;
      case ExecutionCheck::Outcome::executed:
        break;
    }
  }
}

}  // namespace tilewright
