#include <utility>

#include "kernels/recent_plans.hpp"
#include "triangular/trsv_state.hpp"

namespace tilewright {

using detail::translated;

TrsvPlan::TrsvPlan(const Engine& engine, const TrsvProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
TrsvPlan::~TrsvPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
TrsvPlan::TrsvPlan(TrsvPlan&&) noexcept = default;
TrsvPlan& TrsvPlan::operator=(TrsvPlan&& other) noexcept {
  TrsvPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event TrsvPlan::enqueue(cl_command_queue queue, const TrsvOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const TrsvProblem& TrsvPlan::problem() const { return state_->problem(); }
const Explanation& TrsvPlan::explanation() const { return state_->explanation(); }
std::uint64_t TrsvPlan::workspace_bytes() const { return state_->workspace_bytes(); }

Event trsv(const Engine& engine, cl_command_queue queue, const TrsvProblem& problem, const TrsvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  TrsvProblem aligned = problem;
  aligned.offset_alignment =
      detail::aligned_as_promised(problem.offset_alignment, operands.a.offset | operands.x.offset);
  return state_of(engine)
      .part<detail::RecentPlans<TrsvPlan, TrsvProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
