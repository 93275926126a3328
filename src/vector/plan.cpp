#include "kernels/plans/plan.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/plans/plan_state.hpp"
#include "tilewright/error.hpp"
#include "tilewright/vector.hpp"
#include "vector/launches.hpp"
#include "vector/problem.hpp"

namespace tilewright {

using namespace detail;

class VectorPlan::State : public PlanState<VectorProblem> {
 public:
  State(const Engine& engine, VectorFunction function, const VectorProblem& problem)
      : PlanState(engine, problem), function_(function), problem_(canonical(function, problem)) {
    check_problem(engine.profile(), function, problem_);
    explanation_.problem =
        std::string(to_string(function)) + ' ' + std::string(to_string(problem.type)) + ' ' + std::to_string(problem.n);
    if (problem.batch.count != 1) explanation_.problem += ", batch of " + std::to_string(problem.batch.count);
    explanation_.reason = "there is nothing to compute";
    for (std::size_t way = 0; way < vector_ways; ++way)
      if (const auto form = form_of(function, static_cast<VectorWay>(way), problem_)) add_way(engine, way, *form);
  }

  Event enqueue(cl_command_queue queue, const VectorOperands& operands, std::span<const cl_event> waits) {
    check_call(queue, waits);
    const VectorScalars scalars = scalars_of(function_, problem_.type, operands);
    Way& way = *ways_[static_cast<std::size_t>(scalars.way)];
    if (problem_.batch.count != 0)
      check_operands(context_, way.form, problem_, operands, scalars.beta, workspace_bytes_);
    if (way.sequence.empty()) return enqueue_marker(queue, waits);
    SequenceCall call = sequence_call(operands, waits);
    call.values.scalars = {scalars.alpha.real(), scalars.alpha.imag(), scalars.beta.real(), scalars.beta.imag()};
    call.values.matrices = {operands.x, operands.y, operands.z};
    if (way.form.is_reduction()) call.values.matrices[matrix_index(operand_result)] = operands.result;
    // OpenCL takes no null buffer as an argument. Vectors without elements are not read, so the result replaces them.
    if (problem_.n == 0) call.values.matrices[operand_x] = call.values.matrices[operand_y] = operands.result;
    std::unique_lock lock(mutex_);
    Event event = way.sequence.enqueue(queue, call);
    note_enqueued(lock, way.was_enqueued, way.sequence.program());
    return event;
  }

  VectorFunction function() const { return function_; }

 private:
  // A form and its compiled launches; none if the form has nothing to do.
  struct Way {
    Way(const VectorForm& used, const Engine& engine) : form(used), sequence(engine) {}

    VectorForm form;
    LaunchSequence sequence;
    bool was_enqueued = false;
  };

  void add_way(const Engine& engine, std::size_t which, const VectorForm& form) {
    const DeviceProfile& device = engine.profile();
    ways_[which] = std::make_unique<Way>(form, engine);
    if (is_empty(form)) return;
    LaunchSequence& sequence = ways_[which]->sequence;
    const VectorShape shape = shape_of(form, problem_, device);
    const std::uint64_t count = problem_.batch.count;
    const char* const name = to_string(function_).data();  // a string literal
    sequence.build(engine, source_of(name, form, problem_.type, shape),
                   in_grids(launches_of(form, problem_, shape), count, device.max_work_groups),
                   {.scalar_type = part_of(is_integer(problem_.type) ? DataType::f32 : accumulator_of(problem_.type)),
                    .wide_index = true,
                    .batch_count = count});
    if (form.is_reduction() && shape.groups > 1) {
      const std::size_t bytes = sum_bytes(form.kernel, problem_.type);
      sequence.allocate(device, {{.bytes = count * shape.groups * bytes, .element = bytes}}, bytes);
      workspace_bytes_ = sequence.workspace_bytes();
    }
    if (explanation_.variant.empty()) explain(form, shape);
  }

  // Explains the first way, which is the one of general scalars.
  void explain(const VectorForm& form, const VectorShape& shape) {
    explanation_.variant = to_string(function_);
    explanation_.configuration = {{"width", shape.width},
                                  {"unroll", shape.unroll},
                                  {"sums", shape.sums},
                                  {"group", shape.group},
                                  {"groups", static_cast<std::int64_t>(shape.groups)}};
    explanation_.reason = "the only implementation; " + std::to_string(shape.groups) +
                          (shape.groups == 1 ? " work-group of " : " work-groups of ") + std::to_string(shape.group) +
                          (shape.group == 1 ? " work-item" : " work-items");
    if (form.is_reduction() && shape.groups > 1) explanation_.reason += ", and a launch that combines their results";
  }

  bool is_empty(const VectorForm& form) const {
    return problem_.batch.count == 0 || form.kernel == VectorKernel::none || (problem_.n == 0 && !form.is_reduction());
  }

  VectorFunction function_;
  VectorProblem problem_;  // canonical
  std::array<std::unique_ptr<Way>, vector_ways> ways_;
};

VectorPlan::VectorPlan(const Engine& engine, VectorFunction function, const VectorProblem& problem)
    : state_(new_state<decltype(state_)>(engine, function, problem)) {}

TILEWRIGHT_DEFINE_MOVES(VectorPlan)
TILEWRIGHT_DEFINE_CALLS(Vector)

VectorFunction VectorPlan::function() const { return state_->function(); }

}  // namespace tilewright
