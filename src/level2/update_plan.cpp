#include "level2/update_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/build_options.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/fixed_list.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

TriangleUpdate checked_update(TriangleUpdate update, const DeviceProfile& device) {
  update.problem = checked(std::move(update.problem), device);
  update.is_hermitian = update.is_hermitian && is_complex(update.problem.type);
  return update;
}

bool gathers(const TriangleUpdate& update, const Level2Shape& shape) {
  return !shape.by_tiles && std::any_of(update.problem.vectors.begin(), update.problem.vectors.end(),
                                        [](const Level2Vector& vector) { return vector.increment != 1; });
}

// A column-major Hermitian matrix is stored as the conjugate of the row-major one.
std::string options_of(const TriangleUpdate& update, const Level2Shape& shape) {
  const bool by_columns = update.problem.layout == Layout::column_major;
  return define_if(update.has_two(), "TWO") + define_if(update.is_hermitian, "HERMITIAN") +
         define_if(update.is_hermitian && !by_columns, "CONJUGATE_COLUMN") +
         define_if(update.is_hermitian && by_columns, "CONJUGATE_ROW") + define_if(gathers(update, shape), "GATHER");
}

Execution execution_of(const TriangleUpdate& update, const Level2Shape& shape) {
  const Level2Problem& p = update.problem;
  Execution execution;
  std::vector<KernelArgument> arguments{argument::index(p.n)};
  append_scalar(arguments, 0);
  append_vector(arguments, matrix_x, p.vectors[0]);
  if (update.has_two()) append_vector(arguments, matrix_y, p.vectors[1]);
  if (gathers(update, shape)) {
    const std::uint64_t copies = shape.groups * p.vectors.size();
    execution.workspaces.push_back({.bytes = bytes_of(p.batch.count, copies * p.n, size_of(p.type))});
    arguments.push_back(argument::workspace(0));
  }
  append_triangle(arguments, matrix_a, p);
  if (shape.by_tiles)
    execution.launches.push_back(level2_launch("update_tiles", std::move(arguments), shape.group,
                                               ceil_div(p.n, level2_tile), ceil_div(p.n, level2_block)));
  else
    execution.launches.push_back(level2_launch("update_rows", std::move(arguments), 1, shape.groups));
  return execution;
}

}  // namespace

UpdatePlan::UpdatePlan(const Engine& engine, const TriangleUpdate& update, const Choice& choice)
    : PlanBase(engine), update_(checked_update(update, engine.profile())), launches_(engine) {
  const Level2Problem& p = update_.problem;
  const DeviceProfile& device = engine.profile();
  const Level2Shape shape = level2_shape(p, true, device, choice);
  explanation_ = explain_level2(p, true, shape);
  if (p.empty()) {
    explanation_.reason = "there is nothing to compute";
    return;
  }
  Execution execution = execution_of(update_, shape);
  build_level2(engine, launches_, p, level2_source(p, shape, "update", options_of(update_, shape), device),
               std::move(execution.launches));
  if (execution.workspaces.empty()) return;
  launches_.allocate(device, std::move(execution.workspaces), size_of(p.type));
  workspace_bytes_ = launches_.workspace_bytes();
}

Event UpdatePlan::enqueue(cl_command_queue queue, const UpdateCall& call, std::span<const cl_event> waits) {
  check_call(queue, waits);
  const std::complex<double> alpha = alpha_of(call);
  if (update_.problem.empty()) return enqueue_marker(queue, waits);
  check(call, alpha != 0.0);
  if (alpha == 0.0) return enqueue_marker(queue, waits);
  SequenceCall sequence = sequence_call(call, waits);
  sequence.values.scalars = {alpha.real(), alpha.imag()};
  sequence.values.matrices = {call.a, call.x, call.y};
  std::unique_lock lock(mutex_);
  Event event = launches_.enqueue(queue, sequence);
  note_enqueued(lock, was_enqueued_, launches_.program());
  return event;
}

std::complex<double> UpdatePlan::alpha_of(const UpdateCall& call) const {
  const DataType type = update_.problem.type;
  if (update_.is_hermitian && !update_.has_two()) return real_scalar(type, "alpha", call.alpha);
  return checked_scalar(type, "alpha", call.alpha);
}

void UpdatePlan::check(const UpdateCall& call, bool reads) const {
  const FixedList<Level2Vector, 2>& vectors = update_.problem.vectors;
  constexpr const char* why = ", as alpha is not 0";
  FixedList<Level2Operand, 3> operands{{.vector = &vectors[0], .ref = call.x, .read = reads, .why_read = why}};
  if (update_.has_two()) operands.push_back({.vector = &vectors[1], .ref = call.y, .read = reads, .why_read = why});
  operands.push_back({.ref = call.a, .read = true});
  check_level2_operands(context_, update_.problem, {operands.begin(), operands.size()}, call.workspace,
                        workspace_bytes_);
}

}  // namespace tilewright::detail
