#include "spmm/plan_state.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/enqueue_launch.hpp"
#include "kernels/operands/operand_check.hpp"
#include "kernels/scalars.hpp"
#include "spmm/labels.hpp"
#include "spmm/program.hpp"
#include "spmm/rows_of_b.hpp"
#include "spmm/selector.hpp"

namespace tilewright {

using namespace detail;

namespace {

Launch scale_launch(const SpmmCore& core, const DeviceProfile& device) {
  using namespace spmm_slots;
  const StoredMatrix c = stored_c(core);
  const std::size_t items = std::min<std::size_t>(64, device.max_work_group_size);
  return {.kernel = "scale",
          .arguments = {index(c.rows), index(c.columns), beta, spmm_slots::c, index(c.ld), batch},
          .global = {rounded_up(c.columns, static_cast<std::int64_t>(items)), c.rows},
          .local = {items, 1}};
}

bool is_of_divided_rows(const Launch& launch) { return std::string_view(launch.kernel) == divided_rows_kernel; }

// Launches one group per row that lies in several chunks. If there is no such row, no kernel uses the workspace of
// partial sums, and C replaces it, because kernels take no null buffer.
void set_divided_rows(std::vector<Launch>& launches, std::size_t rows) {
  for (Launch& launch : launches) {
    if (is_of_divided_rows(launch)) launch.global[1] *= rows;
    if (rows == 0)
      std::replace(launch.arguments.begin(), launch.arguments.end(), spmm_slots::workspace(0), spmm_slots::c);
  }
  if (rows == 0) std::erase_if(launches, is_of_divided_rows);
}

FixedValues fixed_values(const SpmmCore& core) {
  const Batch batch = with_rows_of_b(core).batch;
  return {.scalar_type = core.type,
          .wide_index = needs_64_bit_indices(core),
          .batch_count = batch.count,
          .batch_strides = {batch.stride_a, batch.stride_b, batch.stride_c}};
}

}  // namespace

SpmmPlan::State::State(const Engine& engine, const SpmmProblem& problem, const SparseStructure& structure,
                       const Choice& choice, std::span<const cl_event> waits)
    : PlanState(engine, problem), core_(core_of(problem)), product_(engine), scale_(engine) {
  AnyRows rows;
  if (!is_empty(core_)) {
    const cl::CommandQueue queue(context_, device_);
    check_queue(context_, device_, queue(), waits);
    rows = read_rows(queue, problem, structure, waits, has_64_bit_structure(core_));
    core_.a = statistics_of(rows, core_.a.columns);
    core_.permuted = std::visit([](const auto& any) { return !any.permutation.empty(); }, rows);
  }
  const auto selection = state_of(engine).part<SpmmSelections>().get(
      engine.profile(), [&](Ability ability) { return engine.probe(ability); }, with_rows_of_b(core_), choice);
  explanation_ = explanation_of(*selection, problem_text(asked_));
  compile_first(*selection, with_rows_of_b(core_), engine.profile(), [&](const ParameterValues& values) {
    explanation_.configuration = configuration_of(*selection->variant, values);
    return is_empty(core_) || compile(engine, *selection->variant, values, rows);
  });
}

// Returns false if a compiled kernel only allows smaller work-groups than the configuration needs.
bool SpmmPlan::State::compile(const Engine& engine, const SpmmVariant& variant, const ParameterValues& values,
                              const AnyRows& rows) {
  const DeviceProfile& device = engine.profile();
  const KernelSource source = spmm_source(variant, values, core_, device);
  compile_scale(engine, source);
  if (core_.a.nonzeros == 0) return true;
  std::optional<Partition> chunks;
  if (const std::uint64_t steps = steps_of_chunk(variant, values); steps != 0)
    chunks = holds_chunks(variant) ? full_chunks(rows, steps) : even_chunks(rows, steps);
  const std::size_t divided = chunks ? chunks->divided_rows() : 0;
  SpmmCore by_rows = with_rows_of_b(core_);
  if (chunks) by_rows.chunks = chunks->row.size() - 1;
  auto [launches, workspaces, cycles] = variant.execution(values, by_rows, device);
  set_divided_rows(launches, divided);
  if (divided == 0) workspaces.clear();
  read_rows_of_b(core_, device, launches, workspaces);
  launches = in_grids(std::move(launches), Operation<SpmmCore>::batch(core_), device.max_work_groups);
  if (!product_.compile(state_of(engine), source, std::move(launches))) return false;
  product_.allocate(device, std::move(workspaces), size_of(core_.type));
  workspace_bytes_ = product_.workspace_bytes();
  structure_ = on_device(context_, device, rows, chunks ? &*chunks : nullptr);
  product_.fix(fixed_values(core_));
  return true;
}

void SpmmPlan::State::compile_scale(const Engine& engine, const KernelSource& source) {
  scale_.compile(state_of(engine), source,
                 in_grids({scale_launch(core_, engine.profile())}, Operation<SpmmCore>::batch(core_),
                          engine.profile().max_work_groups));
  scale_.fix(fixed_values(core_));
}

void SpmmPlan::State::check_operands(const SpmmOperands& operands, bool reads_inputs, bool reads_c) const {
  OperandCheck check(context_);
  const auto add = [&](const OperandLabel& label, const StoredMatrix& matrix, const MatrixRef& ref,
                       std::uint64_t stride, Layout layout) {
    const bool is_c = label.operand == OperandName::c;
    check.add({.label = label,
               .layout = layout,
               .matrix = matrix,
               .places = BatchOffsets(core_.batch.count, stride),
               .ref = ref,
               .element = size_of(core_.type),
               .batched = is_batched(core_),
               .read = is_c ? reads_c : reads_inputs,
               .written = is_c,
               .why_read = is_c ? ", as beta is not 0" : "",
               .overlap_hint = is_c ? "; the product cannot be in place" : ""});
  };
  const Batch& batch = core_.batch;
  add(label_a, stored_values(core_), operands.values, batch.stride_a, Layout::row_major);
  add(label_b, stored_b(core_), operands.b, batch.stride_b, core_.layout_b);
  add(label_c, stored_c(core_), operands.c, batch.stride_c, core_.layout_c);
  check.finish(operands.workspace, workspace_bytes_);
}

Event SpmmPlan::State::enqueue(cl_command_queue queue, const SpmmOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  if (is_empty(core_)) return enqueue_marker(queue, waits);
  const double alpha = real_scalar(core_.type, "alpha", operands.alpha);
  const double beta = real_scalar(core_.type, "beta", operands.beta);
  const bool multiplies = this->multiplies(alpha);
  check_operands(operands, multiplies, beta != 0);
  if (!multiplies && beta == 1) return enqueue_marker(queue, waits);

  std::unique_lock lock(mutex_);
  SequenceCall call = sequence_call(operands, waits);
  call.values.scalars = {alpha, beta};
  call.values.matrices = {operands.values,
                          operands.b,
                          operands.c,
                          {structure_.offsets(), 0},
                          {structure_.columns(), 0},
                          {structure_.permutation(), 0}};
  if (!multiplies) return scale_.enqueue(queue, call);
  Event event = product_.enqueue(queue, call);
  note_enqueued(lock, was_enqueued_, product_.program());
  return event;
}

}  // namespace tilewright
