#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/launch_sequence.hpp"
#include "tilewright/error.hpp"
#include "tilewright/vector.hpp"
#include "vector/launches.hpp"
#include "vector/problem.hpp"

namespace tilewright {

using namespace detail;

// Keeps no Engine, because the engine keeps plans.
class VectorPlan::State {
 public:
  State(const Engine& engine, VectorFunction function, const VectorProblem& problem)
      : context_(state_of(engine).context()),
        device_(state_of(engine).device()),
        programs_(state_of(engine).programs()),
        function_(function),
        asked_(problem),
        problem_(canonical(function, problem)) {
    process().check();
    check_problem(engine.profile(), function, problem_);
    explanation_.problem =
        std::string(to_string(function)) + ' ' + std::string(to_string(problem.type)) + ' ' + std::to_string(problem.n);
    if (problem.batch.count != 1) explanation_.problem += ", batch of " + std::to_string(problem.batch.count);
    explanation_.reason = "there is nothing to compute";
    for (std::size_t way = 0; way < vector_ways; ++way)
      if (const auto form = form_of(function, static_cast<VectorWay>(way), problem_)) add_way(engine, way, *form);
  }

  Event enqueue(cl_command_queue queue, const VectorOperands& operands, std::span<const cl_event> waits) {
    process().check();
    check_queue(context_, device_, queue, waits);
    const VectorScalars scalars = scalars_of(function_, problem_.type, operands);
    Way& way = *ways_[static_cast<std::size_t>(scalars.way)];
    if (problem_.batch.count != 0)
      check_operands(context_, way.form, problem_, operands, scalars.beta, workspace_bytes_);
    if (way.sequence.empty()) return enqueue_marker(queue, waits);
    SequenceCall call;
    call.waits.assign(waits.begin(), waits.end());
    call.workspace = operands.workspace.buffer;
    call.workspace_offset = operands.workspace.offset;
    call.event = operands.event;
    call.values.scalars = {scalars.alpha.real(), scalars.alpha.imag(), scalars.beta.real(), scalars.beta.imag()};
    call.values.matrices = {operands.x, operands.y, operands.z};
    if (way.form.is_reduction()) call.values.matrices[matrix_index(operand_result)] = operands.result;
    // OpenCL takes no null buffer as an argument. Vectors without elements are not read, so the result replaces them.
    if (problem_.n == 0) call.values.matrices[operand_x] = call.values.matrices[operand_y] = operands.result;
    std::unique_lock lock(mutex_);
    Event event = way.sequence.enqueue(queue, call);
    if (std::exchange(way.was_enqueued, true)) return event;
    lock.unlock();
    programs_->enqueued(way.sequence.program());
    return event;
  }

  const OwnProcess& process() const { return programs_->process(); }
  VectorFunction function() const { return function_; }
  const VectorProblem& asked() const { return asked_; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  // A form and its compiled launches; none if the form has nothing to do.
  struct Way {
    Way(const VectorForm& used, const EngineState& engine, std::shared_ptr<WorkspaceArena> arena)
        : form(used), sequence(engine, std::move(arena)) {}

    VectorForm form;
    LaunchSequence sequence;
    bool was_enqueued = false;
  };

  void add_way(const Engine& engine, std::size_t which, const VectorForm& form) {
    EngineState& state = state_of(engine);
    const DeviceProfile& device = engine.profile();
    ways_[which] = std::make_unique<Way>(form, state, state.shared_part<WorkspaceArena>());
    if (is_empty(form)) return;
    LaunchSequence& sequence = ways_[which]->sequence;
    const VectorShape shape = shape_of(form, problem_, device);
    const std::uint64_t count = problem_.batch.count;
    const char* const name = to_string(function_).data();  // a string literal
    if (!sequence.compile(state, source_of(name, form, problem_.type, shape),
                          in_grids(launches_of(form, problem_, shape), count, device.max_work_groups)))
      throw Error(ErrorCode::invalid_configuration,
                  std::string("the device has too few registers for the work-groups of ") + name);
    if (form.is_reduction() && shape.groups > 1) {
      const std::size_t bytes = sum_bytes(form.kernel, problem_.type);
      sequence.allocate(device, {{.bytes = count * shape.groups * bytes, .element = bytes}}, bytes);
      workspace_bytes_ = sequence.workspace_bytes();
    }
    sequence.fix({.scalar_type = part_of(is_integer(problem_.type) ? DataType::f32 : accumulator_of(problem_.type)),
                  .wide_index = true,
                  .batch_count = count});
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

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  VectorFunction function_;
  VectorProblem asked_;
  VectorProblem problem_;  // canonical
  Explanation explanation_;
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;  // held while the kernels' arguments are set and enqueued
  std::array<std::unique_ptr<Way>, vector_ways> ways_;
};

VectorPlan::VectorPlan(const Engine& engine, VectorFunction function, const VectorProblem& problem)
    : state_(translated([&] { return std::make_unique<State>(engine, function, problem); })) {}
VectorPlan::~VectorPlan() {
  if (state_) DriverDelete{state_->process()}(state_.release());
}
VectorPlan::VectorPlan(VectorPlan&&) noexcept = default;
VectorPlan& VectorPlan::operator=(VectorPlan&& other) noexcept {
  VectorPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event VectorPlan::enqueue(cl_command_queue queue, const VectorOperands& operands,
                          std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

VectorFunction VectorPlan::function() const { return state_->function(); }
const VectorProblem& VectorPlan::problem() const { return state_->asked(); }
const Explanation& VectorPlan::explanation() const { return state_->explanation(); }
std::uint64_t VectorPlan::workspace_bytes() const { return state_->workspace_bytes(); }

}  // namespace tilewright
