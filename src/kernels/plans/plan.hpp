// Members that every public plan has, and calls without a plan of their own.
#pragma once

#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "kernels/operands/stored_matrix.hpp"
#include "kernels/plans/recent_plans.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/system/process.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/event.hpp"

namespace tilewright::detail {

/// Makes the state of a plan from the arguments of its constructor. A shared pointer keeps the state if the driver must
/// not be used any more; for a unique one, the plan's destructor does that.
template <class Pointer, class... Arguments>
Pointer new_state(const Arguments&... arguments) {
  using State = typename Pointer::element_type;
  return translated([&] {
    auto state = std::make_unique<State>(arguments...);
    if constexpr (std::is_base_of_v<std::unique_ptr<State>, Pointer>) {
      return Pointer(std::move(state));
    } else {
      const DriverDelete deleter{state->process()};
      return Pointer(std::shared_ptr<State>(state.release(), deleter));
    }
  });
}

/// Enqueues a call with a recent plan of the engine, which is made if there is none for these arguments.
template <class Plan, class Operands, class... Arguments>
Event enqueue_recent(const Engine& engine, cl_command_queue queue, const Operands& operands,
                     std::span<const cl_event> waits, const Arguments&... arguments) {
  return state_of(engine)
      .part<RecentPlans<Plan, Arguments...>>()
      .get(engine, arguments...)
      ->enqueue(queue, operands, waits);
}

/// Returns the bits of the offsets of all matrices and vectors that operands have.
template <class Operands>
std::uint64_t offset_bits(const Operands& operands) {
  std::uint64_t bits = 0;
  if constexpr (requires { operands.a; }) bits |= operands.a.offset;
  if constexpr (requires { operands.b; }) bits |= operands.b.offset;
  if constexpr (requires { operands.c; }) bits |= operands.c.offset;
  if constexpr (requires { operands.x; }) bits |= operands.x.offset;
  if constexpr (requires { operands.y; }) bits |= operands.y.offset;
  return bits;
}

/// Plans and enqueues in one call. Lowers the promise of aligned offsets to the operands' offsets.
template <class Plan, class Problem, class Operands>
Event plan_and_enqueue(const Engine& engine, cl_command_queue queue, Problem problem, const Operands& operands,
                       std::span<const cl_event> waits, const Choice& choice) {
  if constexpr (requires { problem.offset_alignment; })
    problem.offset_alignment = aligned_as_promised(problem.offset_alignment, offset_bits(operands));
  return enqueue_recent<Plan>(engine, queue, operands, waits, problem, choice);
}

}  // namespace tilewright::detail

/// Defines the destructor and the moves of a class whose `state_` is a unique pointer. The state is kept if the driver
/// must not be used any more.
#define TILEWRIGHT_DEFINE_MOVES(Class)                                     \
  Class::~Class() {                                                        \
    if (state_) detail::DriverDelete{state_->process()}(state_.release()); \
  }                                                                        \
  Class::Class(Class&&) noexcept = default;                                \
  Class& Class::operator=(Class&& other) noexcept {                        \
    Class taken(std::move(other));                                         \
    std::swap(state_, taken.state_);                                       \
    return *this;                                                          \
  }

/// Defines enqueue() and the accessors that every plan has.
#define TILEWRIGHT_DEFINE_CALLS(Name)                                                                                \
  Event Name##Plan::enqueue(cl_command_queue queue, const Name##Operands& operands, std::span<const cl_event> waits) \
      const {                                                                                                        \
    return detail::translated([&] { return state_->enqueue(queue, operands, waits); });                              \
  }                                                                                                                  \
  const Name##Problem& Name##Plan::problem() const { return state_->problem(); }                                     \
  const Explanation& Name##Plan::explanation() const { return state_->explanation(); }                               \
  std::uint64_t Name##Plan::workspace_bytes() const { return state_->workspace_bytes(); }

/// Defines the constructor of a plan whose variant can be chosen.
#define TILEWRIGHT_DEFINE_CONSTRUCTOR(Name)                                                        \
  Name##Plan::Name##Plan(const Engine& engine, const Name##Problem& problem, const Choice& choice) \
      : state_(detail::new_state<decltype(state_)>(engine, problem, choice)) {}

/// Defines all members of a plan whose variant can be chosen, such as TrsmPlan for the name Trsm.
#define TILEWRIGHT_DEFINE_PLAN(Name)  \
  TILEWRIGHT_DEFINE_CONSTRUCTOR(Name) \
  TILEWRIGHT_DEFINE_MOVES(Name##Plan) \
  TILEWRIGHT_DEFINE_CALLS(Name)
