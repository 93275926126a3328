#include <utility>

#include "cholesky/potrs_state.hpp"
#include "kernels/recent_plans.hpp"

namespace tilewright {

using detail::translated;

PotrsPlan::PotrsPlan(const Engine& engine, const PotrsProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
PotrsPlan::~PotrsPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
PotrsPlan::PotrsPlan(PotrsPlan&&) noexcept = default;
PotrsPlan& PotrsPlan::operator=(PotrsPlan&& other) noexcept {
  PotrsPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event PotrsPlan::enqueue(cl_command_queue queue, const PotrsOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const PotrsProblem& PotrsPlan::problem() const { return state_->problem(); }
const Explanation& PotrsPlan::explanation() const { return state_->explanation(); }
std::uint64_t PotrsPlan::workspace_bytes() const { return state_->workspace_bytes(); }

Event potrs(const Engine& engine, cl_command_queue queue, const PotrsProblem& problem, const PotrsOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  PotrsProblem aligned = problem;
  aligned.offset_alignment =
      detail::aligned_as_promised(problem.offset_alignment, operands.a.offset | operands.b.offset);
  return state_of(engine)
      .part<detail::RecentPlans<PotrsPlan, PotrsProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
