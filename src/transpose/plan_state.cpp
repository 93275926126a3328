#include "transpose/plan_state.hpp"

#include <algorithm>
#include <utility>

#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/operands/operand_check.hpp"
#include "kernels/scalars.hpp"
#include "tilewright/error.hpp"
#include "transpose/program.hpp"
#include "transpose/selector.hpp"

namespace tilewright {

using namespace detail;

namespace {

Launch zero_launch(const TransposeProblem& problem, const DeviceProfile& device) {
  using namespace transpose_slots;
  const StoredMatrix b = stored_b(problem);
  const std::size_t items = std::min<std::size_t>(64, device.max_work_group_size);
  return {.kernel = "zero",
          .arguments = {index(b.rows), index(b.columns), transpose_slots::b, index(b.ld), batch},
          .global = {rounded_up(b.columns, static_cast<std::int64_t>(items)), b.rows},
          .local = {items, 1}};
}

}  // namespace

TransposePlan::State::State(const Engine& engine, const TransposeProblem& problem, const Choice& choice)
    : PlanState(engine, problem),
      problem_(normalized(problem)),
      promised_alignment_(problem_.offset_alignment),
      scales_(as_moved(problem_, engine.profile()).type.number().has_value()),
      moves_(engine),
      zeros_(engine) {
  const auto selected = state_of(engine).part<TransposeSelections>().get(
      engine.profile(), [&](Ability ability) { return engine.probe(ability); }, problem_, choice);
  explanation_ = explanation_of(*selected, problem_text(asked_));
  problem_ = as_moved(problem_, engine.profile());
  // Kernels only use the alignment of offsets if buffers are aligned too; otherwise one program serves all offsets.
  if (!engine.profile().aligned_buffers) problem_.offset_alignment = 1;
  compile_first(*selected, problem_, engine.profile(), [&](const ParameterValues& values) {
    explanation_.configuration = configuration_of(*selected->variant, values);
    return is_empty(problem_) || compile(engine, *selected->variant, values);
  });
}

// Returns false if a compiled kernel only allows smaller work-groups than the configuration needs.
bool TransposePlan::State::compile(const Engine& engine, const TransposeVariant& variant,
                                   const ParameterValues& values) {
  const DeviceProfile& device = engine.profile();
  const KernelSource source = transpose_source(variant, values, problem_, device);
  Execution execution = complete_execution(variant, values, problem_, device);
  if (!moves_.compile(state_of(engine), source, std::move(execution.launches))) return false;
  moves_.allocate(device, std::move(execution.workspaces), problem_.type.bytes());
  workspace_bytes_ = moves_.workspace_bytes();
  FixedValues fixed{.scalar_type = accumulator_of(problem_.type.number().value_or(DataType::f32)),
                    .wide_index = needs_64_bit_indices(problem_),
                    .batch_count = problem_.batch.count};
  if (is_batched(problem_)) fixed.batch_strides = {problem_.batch.stride_a, problem_.batch.stride_b};
  moves_.fix(fixed);
  if (scales_) {
    zeros_.compile(state_of(engine), source,
                   in_grids({zero_launch(problem_, device)}, Operation<TransposeProblem>::batch(problem_),
                            device.max_work_groups));
    zeros_.fix(fixed);
  }
  return true;
}

// Returns alpha, rounded as kernels do it.
double TransposePlan::State::checked_scalar(const Scalar& alpha) const {
  const auto number = asked_.type.number();
  if (number && is_integer(*number) && alpha != Scalar(1))
    throw Error(ErrorCode::unsupported_type, "integers are only copied: alpha must be 1");
  const double rounded = real_scalar(number.value_or(DataType::f32), "alpha", alpha);
  if (!scales_ && rounded != 1)
    throw Error(ErrorCode::unsupported_type, number ? "the device can only copy elements of this type: alpha must be 1"
                                                    : "elements of " + std::to_string(asked_.type.bytes()) +
                                                          " bytes are only copied: alpha must be 1");
  return rounded;
}

void TransposePlan::State::check_operands(const TransposeOperands& operands, bool reads_a) const {
  const auto use = [&](const OperandLabel& label, const StoredMatrix& matrix, const MatrixRef& ref,
                       std::uint64_t stride) {
    return OperandUse{.label = label,
                      .layout = asked_.layout,
                      .matrix = matrix,
                      .places = BatchOffsets(problem_.batch.count, stride),
                      .ref = ref,
                      .element = problem_.type.bytes(),
                      .offset_alignment = promised_alignment_,
                      .batched = is_batched(problem_)};
  };
  OperandUse a = use(label_a, stored_a(problem_), operands.a, problem_.batch.stride_a);
  OperandUse b = use(label_b, stored_b(problem_), operands.b, problem_.batch.stride_b);
  a.read = reads_a;
  b.written = true;
  b.overlap_hint = "; use separate memory, or transpose in place";
  if (problem_.in_place) {
    if (operands.b.buffer != nullptr)
      throw Error(ErrorCode::invalid_buffer, OperandName::b,
                  "B has a buffer, but in place B replaces A; leave b empty");
    a.written = true;
    b.label = label_a;  // messages name the buffer that the caller passed
    b.ref = operands.a;
  }
  OperandCheck check(context_);
  if (!is_empty(problem_)) {
    check.add(a);
    check.add(b);
    if (!problem_.in_place) check.check_all_apart();
  }
  check.check_workspace(operands.workspace, workspace_bytes_);
}

Event TransposePlan::State::enqueue(cl_command_queue queue, const TransposeOperands& operands,
                                    std::span<const cl_event> waits) {
  check_call(queue, waits);
  const double alpha = checked_scalar(operands.alpha);
  check_operands(operands, alpha != 0);
  if (is_empty(problem_) || (alpha == 1 && stays_in_place(problem_))) return enqueue_marker(queue, waits);

  std::unique_lock lock(mutex_);
  SequenceCall call = sequence_call(operands, waits);
  const MatrixRef& b = problem_.in_place ? operands.a : operands.b;
  call.values.scalars = {alpha};
  call.values.matrices = {operands.a, b};
  if (alpha == 0) return zeros_.enqueue(queue, call);
  Event event = moves_.enqueue(queue, call);
  note_enqueued(lock, was_enqueued_, moves_.program());
  return event;
}

}  // namespace tilewright
