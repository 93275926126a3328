#include "strassen/plan_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/operands/operand_check.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"
#include "strassen/levels.hpp"
#include "strassen/problem.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

using namespace detail;

namespace {

// The elements of a vector, and the work-items of a work-group. On CPUs one work-item walks through a row with the
// widest vectors; on GPUs each work-item reads 16 bytes.
struct Shape {
  std::uint64_t vec, group;
};
Shape shape_of(const GemmProblem& p, const DeviceProfile& device) {
  const std::uint64_t element = size_of(p.type);
  if (device.type == DeviceType::cpu) return {64 / element, 1};
  return {16 / element, std::min<std::uint64_t>({128, device.max_work_group_size, device.max_work_item_sizes[0]})};
}

}  // namespace

StrassenPlan::State::State(const Engine& engine, const StrassenProblem& problem, const Choice& choice)
    : PlanState(engine, problem), product_(strassen_product(problem.product)) {
  choose(engine.profile(), choice);
  plans_.emplace_back(engine, product_, choice);
  if (levels_ > 0)
    prepare(engine, choice);
  else
    workspace_bytes_ = plans_.front().workspace_bytes();
  for (const GemmPlan& plan : plans_)
    if (levels_ == 0 || &plan != &plans_.front()) add_part(explanation_, plan.explanation());
}

void StrassenPlan::State::choose(const DeviceProfile& device, const Choice& choice) {
  const ChosenLevels chosen = choose_levels(device, asked_, product_, choice);
  levels_ = chosen.levels;
  explanation_ = explanation_of(chosen, asked_);
}

std::uint64_t StrassenPlan::State::products() const {
  return levels_ == 0 ? 1
                      : static_cast<std::uint64_t>(std::count_if(
                            works_.begin(), works_.end(), [](const Work& work) { return work.product != nullptr; }));
}

void StrassenPlan::State::prepare(const Engine& engine, const Choice& choice) {
  StrassenSchedule schedule = strassen_schedule(product_, levels_);
  workspace_of_sums_ =
      rounded_up(schedule.workspace_elements * size_of(product_.type), static_cast<std::int64_t>(workspace_alignment));
  for (StrassenStep& step : schedule.steps) {
    Work work{.step = step};
    if (step.kind == StrassenStep::Kind::product)
      work.product = &product_plan(engine, step, choice);
    else
      work.sums = &sums_sequence(engine, step);
    works_.push_back(work);
  }
  std::uint64_t of_products = 0;
  for (const GemmPlan& plan : plans_) of_products = std::max(of_products, plan.workspace_bytes());
  reserve_workspace(engine, workspace_of_sums_ + of_products, "; use fewer levels");
}

const GemmPlan& StrassenPlan::State::product_plan(const Engine& engine, const StrassenStep& step,
                                                  const Choice& choice) {
  const GemmProblem p = small_product(product_, step);
  const auto found =
      std::find_if(plans_.begin(), plans_.end(), [&](const GemmPlan& plan) { return plan.problem() == p; });
  return found != plans_.end() ? *found : plans_.emplace_back(engine, p, choice);
}

LaunchSequence& StrassenPlan::State::sums_sequence(const Engine& engine, const StrassenStep& step) {
  using namespace argument;
  constexpr KernelArgument beta = scalar(0), quarters = matrix(0), slots = matrix(1);
  const DeviceProfile& device = engine.profile();
  const Shape shape = shape_of(product_, device);
  const StrassenQuarters& q = step.quarters;
  const bool merges = step.kind == StrassenStep::Kind::merge;
  const bool wide =
      needs_64_bit_indices({strassen_stored(product_)[0], strassen_stored(product_)[1], strassen_stored(product_)[2]});
  const std::uint64_t offsets = q.first.offset | q.first.ld | q.offset12 | q.offset21 | product_.offset_alignment |
                                step.slots.offset | step.slots.ld | step.slot;
  const bool is_aligned = device.type != DeviceType::cpu && device.aligned_buffers && offsets % shape.vec == 0;
  const std::uint64_t vectors = ceil_div(q.columns, static_cast<std::int64_t>(shape.vec));
  Launch launch{
      .kernel = merges ? "strassen_merge" : "strassen_sums",
      .global = {device.type == DeviceType::cpu ? 1 : rounded_up(vectors, static_cast<std::int64_t>(shape.group)),
                 q.rows},
      .local = {shape.group, 1}};
  if (merges)
    launch.arguments = {index(q.rows),
                        index(q.columns),
                        beta,
                        quarters,
                        index(q.first.ld),
                        offset(q.offset12),
                        index(q.columns12),
                        offset(q.offset21),
                        index(q.rows21),
                        slots,
                        index(step.slots.ld),
                        offset(step.slot)};
  else
    launch.arguments = {index(q.rows),
                        index(q.columns),
                        index(step.kind == StrassenStep::Kind::sums_of_b ? 1 : 0),
                        quarters,
                        index(q.first.ld),
                        offset(q.offset12),
                        index(q.rows12),
                        index(q.columns12),
                        offset(q.offset21),
                        index(q.rows21),
                        index(q.columns21),
                        slots,
                        index(step.slots.ld),
                        offset(step.slot)};
  const std::string options = language_option() + define("ELEMENT_BYTES", size_of(product_.type)) +
                              define("VEC", shape.vec) + define("WG", shape.group) +
                              define("INDEX_BITS", wide ? 64 : 32) + define("ALIGNED", is_aligned);
  for (const Sums& known : sums_)
    if (known.options == options && known.arguments == launch.arguments) return *known.sequence;
  Sums made{options, launch.arguments, std::make_unique<LaunchSequence>(engine)};
  made.sequence->build(engine, {"strassen", {"common/index.cl", "strassen/sums.cl"}, options},
                       in_grids({std::move(launch)}, 0, device.max_work_groups),
                       {.scalar_type = product_.type, .wide_index = wide});
  sums_.push_back(std::move(made));
  return *sums_.back().sequence;
}

MatrixRef StrassenPlan::State::ref(const Call& call, const StrassenPlace& place) const {
  const auto moved = [&](const MatrixRef& of) { return MatrixRef{of.buffer, of.offset + place.offset}; };
  switch (place.where) {
    case StrassenPlace::Where::a:
      return moved(call.a);
    case StrassenPlace::Where::b:
      return moved(call.b);
    case StrassenPlace::Where::c:
      return moved(call.c);
    case StrassenPlace::Where::workspace:
      break;
  }
  return moved(call.workspace);
}

void StrassenPlan::State::enqueue_work(CommandChain& chain, const Work& work, const Call& call, bool event) const {
  const StrassenStep& step = work.step;
  if (work.product == nullptr)
    return work.sums->run(chain,
                          {.scalars = {step.with_beta ? call.beta : 0},
                           .matrices = {ref(call, step.quarters.first), ref(call, step.slots)}},
                          event);
  chain.plan(*work.product,
             GemmOperands{.alpha = step.negative ? -call.alpha : call.alpha,
                          .a = ref(call, step.a),
                          .b = ref(call, step.b),
                          .beta = step.with_beta ? call.beta : 0,
                          .c = ref(call, step.c)},
             {chain.workspace().buffer, chain.workspace().offset + workspace_of_sums_}, event);
}

Event StrassenPlan::State::enqueue(cl_command_queue queue, const StrassenOperands& operands,
                                   std::span<const cl_event> waits) {
  check_call(queue, waits);
  const bool reads_inputs = product_.k > 0 && !rounds_to_zero(product_.type, operands.alpha);
  check(operands, reads_inputs, !rounds_to_zero(product_.type, operands.beta));
  Call call{.alpha = real_scalar(product_.type, "alpha", operands.alpha),
            .beta = real_scalar(product_.type, "beta", operands.beta),
            .a = operands.a,
            .b = operands.b,
            .c = operands.c};
  if (asked_.product.layout == Layout::column_major) std::swap(call.a, call.b);
  if (levels_ == 0 || !reads_inputs)
    return plans_.front().enqueue(queue,
                                  {.alpha = call.alpha,
                                   .a = call.a,
                                   .b = call.b,
                                   .beta = call.beta,
                                   .c = call.c,
                                   .workspace = operands.workspace,
                                   .event = operands.event},
                                  waits);
  const std::lock_guard lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  call.workspace = {chain.workspace().buffer, chain.workspace().offset / size_of(product_.type)};
  for (const Work& work : works_) enqueue_work(chain, work, call, operands.event && &work == &works_.back());
  return chain.finish(operands.event);
}

void StrassenPlan::State::check(const StrassenOperands& operands, bool reads_inputs, bool reads_c) const {
  if (product_.m == 0 || product_.n == 0) return;
  const auto stored = strassen_stored(product_);
  const auto labels = strassen_labels(asked_.product.layout);
  constexpr OperandName order[] = {OperandName::a, OperandName::b, OperandName::c};
  const MatrixRef refs[] = {operands.a, operands.b, operands.c};
  OperandCheck check(context_);
  for (std::size_t i = 0; i < std::size(order); ++i) {
    const auto which =
        static_cast<std::size_t>(std::find_if(labels.begin(), labels.end(),
                                              [&](const OperandLabel& label) { return label.operand == order[i]; }) -
                                 labels.begin());
    OperandUse use{.label = labels[which],
                   .layout = asked_.product.layout,
                   .matrix = stored[which],
                   .places = BatchOffsets(1, 0),
                   .ref = refs[i],
                   .element = size_of(product_.type),
                   .offset_alignment = product_.offset_alignment};
    use.written = order[i] == OperandName::c;
    use.read = use.written ? reads_c || levels_ > 0 : reads_inputs;
    if (use.written) {
      use.why_read = reads_c ? ", as beta is not 0" : ", as products are added up in it";
      use.overlap_hint = "; the product cannot be in place";
    }
    check.add(use);
  }
  check.finish(operands.workspace, workspace_bytes_);
}

}  // namespace tilewright
