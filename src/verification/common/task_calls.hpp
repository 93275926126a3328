// Calls of the public operations of an algorithm's tasks, from one problem and one set of operands that serve all.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"

namespace tilewright::verification {

/// The public operation of one task. `problem_of` and `operands_of` select what it takes.
template <auto Task, class PublicPlan, auto Function, auto ProblemOf, auto OperandsOf>
struct TaskCall {
  using Plan = PublicPlan;
  static constexpr auto task = Task;
  static constexpr auto function = Function;
  static constexpr auto problem_of = ProblemOf;
  static constexpr auto operands_of = OperandsOf;
};

/// The operations of all tasks. The strides of operands that a task lacks must be 0.
template <class... Calls>
struct TaskCalls {
  using AnyPlan = std::variant<typename Calls::Plan...>;

  /// Returns the plan of the problem's task.
  template <class Problem>
  static AnyPlan plan(const Engine& engine, const Problem& problem, const Choice& choice) {
    std::optional<AnyPlan> made;
    for_task(problem.task,
             [&]<class Call>(Call) { made.emplace(typename Call::Plan(engine, Call::problem_of(problem), choice)); });
    return std::move(*made);
  }

  template <class Operands>
  static Event enqueue(const AnyPlan& any, cl_command_queue queue, const Operands& operands,
                       std::span<const cl_event> waits) {
    Event event;
    const auto try_call = [&]<class Call>(Call) {
      if (const auto* const plan = std::get_if<typename Call::Plan>(&any))
        event = plan->enqueue(queue, Call::operands_of(operands), waits);
    };
    (try_call(Calls()), ...);
    return event;
  }

  /// Calls the function of the problem's task.
  template <class Problem, class Operands>
  static Event run(const Engine& engine, cl_command_queue queue, const Problem& problem, const Operands& operands,
                   std::span<const cl_event> waits, const Choice& choice) {
    Event event;
    for_task(problem.task, [&]<class Call>(Call) {
      event = Call::function(engine, queue, Call::problem_of(problem), Call::operands_of(operands), waits, choice);
    });
    return event;
  }

 private:
  template <class Task, class Use>
  static void for_task(Task task, const Use& use) {
    bool is_known = false;
    const auto try_call = [&]<class Call>(Call call) {
      if (Call::task != task) return;
      is_known = true;
      use(call);
    };
    (try_call(Calls()), ...);
    if (!is_known) throw std::logic_error("a task that does not exist");
  }
};

}  // namespace tilewright::verification
