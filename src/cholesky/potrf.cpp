#include <utility>

#include "cholesky/potrf_state.hpp"
#include "kernels/recent_plans.hpp"

namespace tilewright {

using detail::translated;

PotrfPlan::PotrfPlan(const Engine& engine, const PotrfProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
PotrfPlan::~PotrfPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
PotrfPlan::PotrfPlan(PotrfPlan&&) noexcept = default;
PotrfPlan& PotrfPlan::operator=(PotrfPlan&& other) noexcept {
  PotrfPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event PotrfPlan::enqueue(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const PotrfProblem& PotrfPlan::problem() const { return state_->problem(); }
const Explanation& PotrfPlan::explanation() const { return state_->explanation(); }
std::uint64_t PotrfPlan::workspace_bytes() const { return state_->workspace_bytes(); }

Event potrf(const Engine& engine, cl_command_queue queue, const PotrfProblem& problem, const PotrfOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  PotrfProblem aligned = problem;
  aligned.offset_alignment = detail::aligned_as_promised(problem.offset_alignment, operands.a.offset);
  return state_of(engine)
      .part<detail::RecentPlans<PotrfPlan, PotrfProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
