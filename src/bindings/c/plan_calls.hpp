// The bodies of the functions that every operation has.
#pragma once

#include "bindings/c/parts.hpp"

namespace tilewright::c {

/// Makes a plan of an operation; `more` are the arguments of its constructor after the problem.
template <class Plan, class Problem, class... More>
tilewright_status make_plan(const tilewright_engine* engine, const Problem* problem, tilewright_plan** plan,
                            const More&... more) {
  return guarded([&] {
    expect_argument(plan, "plan");
    const Engine& on = engine_of(engine);
    const auto wanted = from_c(*Input(problem));
    *plan = new PlanHandle<Plan>(Plan{on, wanted, more()...});  // braces: in this order
  });
}

template <class Plan, class Problem>
tilewright_status create_plan(const tilewright_engine* engine, const Problem* problem, tilewright_plan** plan) {
  return make_plan<Plan>(engine, problem, plan);
}

template <class Plan, class Problem>
tilewright_status create_plan(const tilewright_engine* engine, const Problem* problem, const tilewright_choice* choice,
                              tilewright_plan** plan) {
  return make_plan<Plan>(engine, problem, plan, [&] { return choice_from(choice); });
}

/// Hands the event of a call to the caller who wants it.
inline void hand_over(Event done, cl_event* wanted) {
  if (wanted != nullptr) *wanted = done.release();
}

/// Returns the operands of a call.
template <class Operands>
auto operands_from(const Operands* given, Form& form, const cl_event* wanted) {
  auto operands = from_c(*Input(given), form);
  operands.event = wanted != nullptr;
  return operands;
}

template <class Plan, class Operands>
tilewright_status enqueue(const tilewright_plan* handle, cl_command_queue queue, const Operands* given,
                          cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return guarded([&] {
    const Plan& plan = plan_of<Plan>(handle);
    Form form = form_of(plan.problem());
    const auto operands = operands_from(given, form, event);
    hand_over(plan.enqueue(queue, operands, events(num_waits, waits)), event);
  });
}

/// Plans and enqueues in one call; `choice` are the arguments of `function` after the events.
template <auto function, class Problem, class Operands, class... Choices>
tilewright_status call_with(const tilewright_engine* engine, cl_command_queue queue, const Problem* given_problem,
                            const Operands* given, cl_uint num_waits, const cl_event* waits, cl_event* event,
                            const Choices&... choice) {
  return guarded([&] {
    const Engine& on = engine_of(engine);
    const auto problem = from_c(*Input(given_problem));
    Form form = form_of(problem);
    const auto operands = operands_from(given, form, event);
    const std::span<const cl_event> after = events(num_waits, waits);
    hand_over(function(on, queue, problem, operands, after, choice()...), event);
  });
}

template <auto function, class Problem, class Operands>
tilewright_status call(const tilewright_engine* engine, cl_command_queue queue, const Problem* problem,
                       const Operands* operands, cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return call_with<function>(engine, queue, problem, operands, num_waits, waits, event);
}

template <auto function, class Problem, class Operands>
tilewright_status call(const tilewright_engine* engine, cl_command_queue queue, const Problem* problem,
                       const Operands* operands, const tilewright_choice* choice, cl_uint num_waits,
                       const cl_event* waits, cl_event* event) {
  return call_with<function>(engine, queue, problem, operands, num_waits, waits, event,
                             [&] { return choice_from(choice); });
}

}  // namespace tilewright::c
