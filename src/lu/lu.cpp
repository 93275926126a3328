#include "tilewright/lu.hpp"

#include <utility>

#include "kernels/operands/stored_matrix.hpp"
#include "kernels/recent_plans.hpp"
#include "lu/lu_state.hpp"

namespace tilewright {
namespace {

using detail::translated;

template <class State, class Problem>
std::shared_ptr<State> make_state(const Engine& engine, const Problem& problem, const Choice& choice) {
  return translated([&] {
    const detail::DriverDelete deleter{state_of(engine).process()};
    return std::shared_ptr<State>(new State(engine, problem, choice), deleter);
  });
}

// The one-shot call of a plan.
template <class Plan, class Problem, class Operands>
Event plan_and_enqueue(const Engine& engine, cl_command_queue queue, Problem problem, const Operands& operands,
                       std::span<const cl_event> waits, const Choice& choice) {
  const detail::LuOperands all = detail::lu_operands(operands);
  if constexpr (requires { problem.offset_alignment; })
    problem.offset_alignment = detail::aligned_as_promised(problem.offset_alignment, all.a.offset | all.b.offset);
  return state_of(engine)
      .part<detail::RecentPlans<Plan, Problem, Choice>>()
      .get(engine, problem, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace

class GetrfPlan::State : public detail::LuPlanState<GetrfProblem> {
 public:
  using LuPlanState::LuPlanState;
};

GetrfPlan::GetrfPlan(const Engine& engine, const GetrfProblem& problem, const Choice& choice)
    : state_(make_state<State>(engine, problem, choice)) {}

Event GetrfPlan::enqueue(cl_command_queue queue, const GetrfOperands& operands, std::span<const cl_event> waits) const {
  return state_->enqueue(queue, operands, waits);
}

const GetrfProblem& GetrfPlan::problem() const { return state_->problem; }
const Explanation& GetrfPlan::explanation() const { return state_->lu.explanation(); }
std::uint64_t GetrfPlan::workspace_bytes() const { return state_->lu.workspace_bytes(); }

Event getrf(const Engine& engine, cl_command_queue queue, const GetrfProblem& problem, const GetrfOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return plan_and_enqueue<GetrfPlan>(engine, queue, problem, operands, waits, choice);
}

class GetrsPlan::State : public detail::LuPlanState<GetrsProblem> {
 public:
  using LuPlanState::LuPlanState;
};

GetrsPlan::GetrsPlan(const Engine& engine, const GetrsProblem& problem, const Choice& choice)
    : state_(make_state<State>(engine, problem, choice)) {}

Event GetrsPlan::enqueue(cl_command_queue queue, const GetrsOperands& operands, std::span<const cl_event> waits) const {
  return state_->enqueue(queue, operands, waits);
}

const GetrsProblem& GetrsPlan::problem() const { return state_->problem; }
const Explanation& GetrsPlan::explanation() const { return state_->lu.explanation(); }
std::uint64_t GetrsPlan::workspace_bytes() const { return state_->lu.workspace_bytes(); }

Event getrs(const Engine& engine, cl_command_queue queue, const GetrsProblem& problem, const GetrsOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return plan_and_enqueue<GetrsPlan>(engine, queue, problem, operands, waits, choice);
}

class GesvPlan::State : public detail::LuPlanState<GesvProblem> {
 public:
  using LuPlanState::LuPlanState;
};

GesvPlan::GesvPlan(const Engine& engine, const GesvProblem& problem, const Choice& choice)
    : state_(make_state<State>(engine, problem, choice)) {}

Event GesvPlan::enqueue(cl_command_queue queue, const GesvOperands& operands, std::span<const cl_event> waits) const {
  return state_->enqueue(queue, operands, waits);
}

const GesvProblem& GesvPlan::problem() const { return state_->problem; }
const Explanation& GesvPlan::explanation() const { return state_->lu.explanation(); }
std::uint64_t GesvPlan::workspace_bytes() const { return state_->lu.workspace_bytes(); }

Event gesv(const Engine& engine, cl_command_queue queue, const GesvProblem& problem, const GesvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return plan_and_enqueue<GesvPlan>(engine, queue, problem, operands, waits, choice);
}

class GetriPlan::State : public detail::LuPlanState<GetriProblem> {
 public:
  using LuPlanState::LuPlanState;
};

GetriPlan::GetriPlan(const Engine& engine, const GetriProblem& problem, const Choice& choice)
    : state_(make_state<State>(engine, problem, choice)) {}

Event GetriPlan::enqueue(cl_command_queue queue, const GetriOperands& operands, std::span<const cl_event> waits) const {
  return state_->enqueue(queue, operands, waits);
}

const GetriProblem& GetriPlan::problem() const { return state_->problem; }
const Explanation& GetriPlan::explanation() const { return state_->lu.explanation(); }
std::uint64_t GetriPlan::workspace_bytes() const { return state_->lu.workspace_bytes(); }

Event getri(const Engine& engine, cl_command_queue queue, const GetriProblem& problem, const GetriOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return plan_and_enqueue<GetriPlan>(engine, queue, problem, operands, waits, choice);
}

class DetPlan::State : public detail::LuPlanState<DetProblem> {
 public:
  using LuPlanState::LuPlanState;
};

DetPlan::DetPlan(const Engine& engine, const DetProblem& problem, const Choice& choice)
    : state_(make_state<State>(engine, problem, choice)) {}

Event DetPlan::enqueue(cl_command_queue queue, const DetOperands& operands, std::span<const cl_event> waits) const {
  return state_->enqueue(queue, operands, waits);
}

const DetProblem& DetPlan::problem() const { return state_->problem; }
const Explanation& DetPlan::explanation() const { return state_->lu.explanation(); }
std::uint64_t DetPlan::workspace_bytes() const { return state_->lu.workspace_bytes(); }

Event det(const Engine& engine, cl_command_queue queue, const DetProblem& problem, const DetOperands& operands,
          std::span<const cl_event> waits, const Choice& choice) {
  return plan_and_enqueue<DetPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
