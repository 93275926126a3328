#include <utility>

#include "cholesky/posv_state.hpp"
#include "kernels/recent_plans.hpp"

namespace tilewright {

using detail::translated;

PosvPlan::PosvPlan(const Engine& engine, const PosvProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
PosvPlan::~PosvPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
PosvPlan::PosvPlan(PosvPlan&&) noexcept = default;
PosvPlan& PosvPlan::operator=(PosvPlan&& other) noexcept {
  PosvPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event PosvPlan::enqueue(cl_command_queue queue, const PosvOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const PosvProblem& PosvPlan::problem() const { return state_->problem(); }
const Explanation& PosvPlan::explanation() const { return state_->explanation(); }
std::uint64_t PosvPlan::workspace_bytes() const { return state_->workspace_bytes(); }

Event posv(const Engine& engine, cl_command_queue queue, const PosvProblem& problem, const PosvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  PosvProblem aligned = problem;
  aligned.offset_alignment =
      detail::aligned_as_promised(problem.offset_alignment, operands.a.offset | operands.b.offset);
  return state_of(engine)
      .part<detail::RecentPlans<PosvPlan, PosvProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
