#include "gemm/plan_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gemm/complex_selection.hpp"
#include "gemm/core_offsets.hpp"
#include "gemm/epilogue.hpp"
#include "gemm/operand_check.hpp"
#include "gemm/part_selection.hpp"
#include "gemm/program.hpp"
#include "gemm/range_selection.hpp"
#include "gemm/scalar_runs.hpp"
#include "gemm/selector.hpp"
#include "gemm/shape_recorder.hpp"
#include "gemm/triangle_selection.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/operands/operand_check.hpp"

namespace tilewright {

using namespace detail;

GemmPlan::State::State(const Engine& engine, const GemmProblem& problem, const CoreProduct& product)
    : PlanState(engine, problem),
      problem_(product),
      product_(product),
      swapped_(problem.layout == Layout::column_major),
      core_(core_of(product_, engine.profile())),
      sequence_(engine) {}

GemmPlan::State::State(const Engine& engine, const GemmProblem& problem, const Choice& choice)
    : State(engine, problem, CoreProduct(normalized(problem))) {
  record_shape(problem_);
  const auto selected = selection(engine, core_.problem, choice);
  prepare(engine, selection_for_complex(*selected, problem_, engine.profile()));
}

std::unique_ptr<GemmPlan::State> GemmPlan::State::of_triangle(const Engine& engine, const GemmProblem& problem,
                                                              const WantedTriangle& triangle, const Choice& choice) {
  // Column-major, the transpose of C is computed.
  const bool is_upper = (triangle.uplo == Uplo::upper) != (problem.layout == Layout::column_major);
  WantedTriangle stored = triangle;
  stored.uplo = is_upper ? Uplo::upper : Uplo::lower;
  std::unique_ptr<State> state(new State(engine, problem, {normalized(problem), stored}));
  const auto for_rectangle = state->selection(engine, rectangle_like(state->core_.problem), choice);
  const auto selected =
      selection_for_part(*for_rectangle, state->product_for(*for_rectangle, engine), engine.profile());
  if (!selected) return nullptr;
  state->prepare(engine, *selected);
  return state;
}

std::unique_ptr<GemmPlan::State> GemmPlan::State::of_symmetric(const Engine& engine, const GemmProblem& problem,
                                                               const SymmetricFactor& factor, const Choice& choice) {
  CoreProduct product = normalized(problem);
  product.symmetric = factor;
  std::unique_ptr<State> state(new State(engine, problem, product));
  const auto for_whole = state->selection(engine, state->core_.problem, choice);
  const auto selected = selection_for_part(*for_whole, state->product_for(*for_whole, engine), engine.profile());
  if (!selected) return nullptr;
  state->prepare(engine, *selected);
  return state;
}

std::unique_ptr<GemmPlan::State> GemmPlan::State::of_range(const Engine& engine, const GemmProblem& problem,
                                                           const KRange& range, const Choice& choice) {
  std::unique_ptr<State> state(new State(engine, problem, {normalized(problem), {}, range}));
  const auto for_shallow = state->selection(engine, shallow_like(state->core_.problem), choice);
  const auto selected = selection_for_range(*for_shallow, state->product_for(*for_shallow, engine), engine.profile(),
                                            !choice.variant.empty());
  if (!selected) return nullptr;
  state->prepare(engine, *selected);
  return state;
}

std::shared_ptr<const GemmSelection> GemmPlan::State::selection(const Engine& engine, const GemmProblem& product,
                                                                const Choice& choice) const {
  return state_of(engine).part<GemmSelections>().get(
      engine.profile(), [&](Ability ability) { return engine.probe(ability); }, product, choice);
}

CoreProduct GemmPlan::State::product_for(const GemmSelection& selected, const Engine& engine) const {
  return core_of(product_, engine.profile(), *selected.variant, selected.values.front()).problem;
}

void GemmPlan::State::prepare(const Engine& engine, const GemmSelection& selected) {
  const GemmVariant& variant = *selected.variant;
  explanation_ = explanation_of(selected, problem_text(asked_));
  explanation_.reason += note_on_core(problem_, core_.problem);
  compile_first(selected, core_.problem, engine.profile(), [&](const ParameterValues& values) {
    explanation_.configuration = configuration_of(variant, values);
    return is_empty(problem_) || compile(state_of(engine), variant, values);
  });
}

// Returns false if a compiled kernel allows only smaller work-groups than the configuration needs.
bool GemmPlan::State::compile(EngineState& engine, const GemmVariant& variant, const ParameterValues& values) {
  const DeviceProfile& device = engine.profile();
  core_ = core_of(product_, device, variant, values);
  Execution execution =
      probed_execution(core_, variant, values, device, [&](Ability ability) { return engine.probe(ability); });
  if (!sequence_.compile(engine, gemm_source(variant, values, core_, device), std::move(execution.launches)))
    return false;
  prepare_calls(device, std::move(execution.workspaces));
  return true;
}

void GemmPlan::State::prepare_calls(const DeviceProfile& device, std::vector<Workspace> workspaces) {
  const GemmProblem& core = core_.problem;
  sequence_.allocate(device, std::move(workspaces), accumulator_bytes(core.type));
  workspace_bytes_ = sequence_.workspace_bytes();
  FixedValues fixed{.scalar_type = accumulator_of(core.type), .wide_index = needs_64_bit_indices(core)};
  if (core.batch.by_offsets) {
    offsets_.emplace(context_, CoreOffsets::entries(core_, core.batch.count));
    fixed.batch_offsets = offsets_->buffer()();
  } else if (is_batched(core)) {
    fixed.batch_strides = {core.batch.stride_a, core.batch.stride_b, core.batch.stride_c};
  }
  fixed.batch_count = core.batch.count;
  fixed.inserted = epilogue_arguments(core);
  sequence_.fix(fixed);
}

Event GemmPlan::State::enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  GemmOperands ours = operands;
  PackedInputs packed{checked(operands.packed_a, GemmInput::a), checked(operands.packed_b, GemmInput::b)};
  if (packed[0] != nullptr && !packed[0]->repacked) ours.a = {static_cast<cl_mem>(packed[0]->memory()), 0};
  if (packed[1] != nullptr && !packed[1]->repacked) ours.b = {static_cast<cl_mem>(packed[1]->memory()), 0};
  if (swapped_) {
    std::swap(ours.a, ours.b);
    std::swap(ours.offsets.a, ours.offsets.b);
    std::swap(packed[0], packed[1]);
  }
  check_offset_counts(problem_, asked_.layout, ours.offsets);
  check_scalars(problem_, operands);
  ScalarRuns scalars(problem_, core_.problem.k, operands);
  const bool reads_inputs = scalars.read_inputs();
  const auto reads = [&](std::size_t input) {
    return reads_inputs && (packed[input] == nullptr || !packed[input]->repacked);
  };
  const OperandsRead read{reads(0), reads(1), scalars.read_c()};
  std::unique_lock lock(mutex_);
  const CoreOffsets table(core_, ours.offsets);
  const bool known_offsets = offsets_ && offsets_->holds(table.all());
  const std::optional<KRange>& range = core_.problem.k_range;
  const bool in_place = range && range->is_triangle && range->block == 1;
  check_operands({context_, problem_, asked_.layout, read, !known_offsets, workspace_bytes(), in_place}, ours);
  if (sequence_.empty() || !scalars.change_c()) return enqueue_marker(queue, waits);

  for (MatrixRef* const ref : {&ours.a, &ours.b, &ours.c}) ref->offset *= core_.parts;
  // A null buffer is not a valid kernel argument, so C is passed for operands that are not read.
  SequenceCall call = sequence_call(operands, waits);
  call.values = scalars.values();
  call.runs = scalars.runs();
  call.reads_inputs = reads_inputs;
  call.values.matrices = {
      read.a ? ours.a : ours.c, read.b ? ours.b : ours.c, ours.c, ours.scale, ours.bias, ours.residual};
  if (reads_inputs) {
    for (std::size_t input = 0; input < packed.size(); ++input)
      if (packed[input] != nullptr && packed[input]->repacked)
        call.packed[input] = static_cast<cl_mem>(packed[input]->memory());
    append_packings(packed, call.waits);
  }
  if (offsets_ && offsets_->holds(table.all()))
    offsets_->append_to(call.waits);
  else if (offsets_)
    call.prologue = [&](CommandChain& chain) {
      chain.add([&](std::span<const cl_event> before, bool) {
        return offsets_->write(queue, table.all(), before, [&](cl_event command) { chain.keep(command); });
      });
    };
  Event event = sequence_.enqueue(queue, call);
  if (reads_inputs) note_enqueued(lock, was_enqueued_, sequence_.program());
  return event;
}

}  // namespace tilewright
