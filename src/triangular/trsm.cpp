#include <utility>

#include "kernels/recent_plans.hpp"
#include "runtime/engine_state.hpp"
#include "tilewright/triangular.hpp"
#include "triangular/trsm_state.hpp"

namespace tilewright {

using detail::translated;

TrsmPlan::TrsmPlan(const Engine& engine, const TrsmProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
TrsmPlan::~TrsmPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
TrsmPlan::TrsmPlan(TrsmPlan&&) noexcept = default;
TrsmPlan& TrsmPlan::operator=(TrsmPlan&& other) noexcept {
  TrsmPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event TrsmPlan::enqueue(cl_command_queue queue, const TrsmOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const TrsmProblem& TrsmPlan::problem() const { return state_->problem(); }
const Explanation& TrsmPlan::explanation() const { return state_->explanation(); }
std::uint64_t TrsmPlan::workspace_bytes() const { return state_->workspace_bytes(); }

Event trsm(const Engine& engine, cl_command_queue queue, const TrsmProblem& problem, const TrsmOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  TrsmProblem aligned = problem;
  aligned.offset_alignment =
      detail::aligned_as_promised(problem.offset_alignment, operands.a.offset | operands.b.offset);
  return state_of(engine)
      .part<detail::RecentPlans<TrsmPlan, TrsmProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
