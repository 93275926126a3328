#include "gemm/plan_state.hpp"

namespace tilewright {

using detail::translated;

GemmPlan::GemmPlan(const Engine& engine, const GemmProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
GemmPlan::~GemmPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
GemmPlan::GemmPlan(GemmPlan&&) noexcept = default;
GemmPlan& GemmPlan::operator=(GemmPlan&& other) noexcept {
  GemmPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event GemmPlan::enqueue(cl_command_queue queue, const GemmOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const GemmProblem& GemmPlan::problem() const { return state_->asked(); }
const Explanation& GemmPlan::explanation() const { return state_->explanation(); }
std::uint64_t GemmPlan::workspace_bytes() const { return state_->workspace_bytes(); }

}  // namespace tilewright
