#include "transpose/plan_state.hpp"

namespace tilewright {

using detail::translated;

TransposePlan::TransposePlan(const Engine& engine, const TransposeProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
TransposePlan::~TransposePlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
TransposePlan::TransposePlan(TransposePlan&&) noexcept = default;
TransposePlan& TransposePlan::operator=(TransposePlan&& other) noexcept {
  TransposePlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event TransposePlan::enqueue(cl_command_queue queue, const TransposeOperands& operands,
                             std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const TransposeProblem& TransposePlan::problem() const { return state_->asked(); }
const Explanation& TransposePlan::explanation() const { return state_->explanation(); }
std::uint64_t TransposePlan::workspace_bytes() const { return state_->workspace_bytes(); }

}  // namespace tilewright
