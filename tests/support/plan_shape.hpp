// The shape that the public interface of every operation has.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::test {

/// The data of one call: a lent workspace, and whether the call makes an event.
template <class Operands>
concept OperandsShape = std::default_initializable<Operands> && std::copyable<Operands> && requires(Operands operands) {
  { operands.workspace } -> std::same_as<WorkspaceRef&>;
  { operands.event } -> std::same_as<bool&>;
};

/// Sizes and types of one call, which can be compared.
template <class Problem>
concept ProblemShape =
    std::default_initializable<Problem> && std::copyable<Problem> && std::equality_comparable<Problem>;

/// A prepared problem: it can be moved, enqueued and asked for what it runs.
template <class Plan, class Problem, class Operands>
concept PlanShape = std::movable<Plan> && ProblemShape<Problem> && OperandsShape<Operands> &&
    requires(const Plan& plan, cl_command_queue queue, const Operands& operands, std::span<const cl_event> waits) {
  { plan.enqueue(queue, operands) } -> std::same_as<Event>;
  { plan.enqueue(queue, operands, waits) } -> std::same_as<Event>;
  { plan.problem() } -> std::same_as<const Problem&>;
  { plan.explanation() } -> std::same_as<const Explanation&>;
  { plan.workspace_bytes() } -> std::same_as<std::uint64_t>;
};

/// A plan that is made from an engine, a problem and a choice.
template <class Plan, class Problem>
concept ChoosablePlan = std::constructible_from<Plan, const Engine&, const Problem&> &&
    std::constructible_from<Plan, const Engine&, const Problem&, const Choice&>;

/// A function that plans and enqueues in one call; `Choices` is Choice, or nothing if the operation has no variants.
template <class Function, class Problem, class Operands, class... Choices>
concept CallShape = std::is_invocable_r_v < Event,
        Function, const Engine&, cl_command_queue, const Problem&, const Operands&, std::span<const cl_event>,
const Choices&... > ;

}  // namespace tilewright::test
