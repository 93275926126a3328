#include "tilewright/lu.hpp"

#include "kernels/plans/plan.hpp"
#include "lu/lu_state.hpp"

namespace tilewright {

class GetrfPlan::State : public detail::LuPlanState<GetrfProblem> {
 public:
  using LuPlanState::LuPlanState;
};

class GetrsPlan::State : public detail::LuPlanState<GetrsProblem> {
 public:
  using LuPlanState::LuPlanState;
};

class GesvPlan::State : public detail::LuPlanState<GesvProblem> {
 public:
  using LuPlanState::LuPlanState;
};

class GetriPlan::State : public detail::LuPlanState<GetriProblem> {
 public:
  using LuPlanState::LuPlanState;
};

class DetPlan::State : public detail::LuPlanState<DetProblem> {
 public:
  using LuPlanState::LuPlanState;
};

TILEWRIGHT_DEFINE_CONSTRUCTOR(Getrf)
TILEWRIGHT_DEFINE_CALLS(Getrf)

TILEWRIGHT_DEFINE_CONSTRUCTOR(Getrs)
TILEWRIGHT_DEFINE_CALLS(Getrs)

TILEWRIGHT_DEFINE_CONSTRUCTOR(Gesv)
TILEWRIGHT_DEFINE_CALLS(Gesv)

TILEWRIGHT_DEFINE_CONSTRUCTOR(Getri)
TILEWRIGHT_DEFINE_CALLS(Getri)

TILEWRIGHT_DEFINE_CONSTRUCTOR(Det)
TILEWRIGHT_DEFINE_CALLS(Det)

Event getrf(const Engine& engine, cl_command_queue queue, const GetrfProblem& problem, const GetrfOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GetrfPlan>(engine, queue, problem, operands, waits, choice);
}

Event getrs(const Engine& engine, cl_command_queue queue, const GetrsProblem& problem, const GetrsOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GetrsPlan>(engine, queue, problem, operands, waits, choice);
}

Event gesv(const Engine& engine, cl_command_queue queue, const GesvProblem& problem, const GesvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GesvPlan>(engine, queue, problem, operands, waits, choice);
}

Event getri(const Engine& engine, cl_command_queue queue, const GetriProblem& problem, const GetriOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GetriPlan>(engine, queue, problem, operands, waits, choice);
}

Event det(const Engine& engine, cl_command_queue queue, const DetProblem& problem, const DetOperands& operands,
          std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<DetPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
