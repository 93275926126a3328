#include "tilewright/strassen.hpp"

#include <utility>

#include "kernels/recent_plans.hpp"
#include "strassen/levels.hpp"
#include "strassen/plan_state.hpp"
#include "strassen/problem.hpp"

namespace tilewright {

using detail::translated;

StrassenPlan::StrassenPlan(const Engine& engine, const StrassenProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
StrassenPlan::~StrassenPlan() {
  if (state_) detail::DriverDelete{state_->process()}(state_.release());
}
StrassenPlan::StrassenPlan(StrassenPlan&&) noexcept = default;
StrassenPlan& StrassenPlan::operator=(StrassenPlan&& other) noexcept {
  StrassenPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event StrassenPlan::enqueue(cl_command_queue queue, const StrassenOperands& operands,
                            std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const StrassenProblem& StrassenPlan::problem() const { return state_->asked(); }
unsigned StrassenPlan::levels() const { return state_->levels(); }
std::uint64_t StrassenPlan::products() const { return state_->products(); }
std::uint64_t StrassenPlan::workspace_bytes() const { return state_->workspace_bytes(); }

StrassenExplanation explain_strassen(const DeviceProfile& device, const StrassenProblem& problem,
                                     const Choice& choice) {
  return detail::strassen_levels(device, problem, detail::strassen_product(problem.product), choice);
}

Event strassen(const Engine& engine, cl_command_queue queue, const StrassenProblem& problem,
               const StrassenOperands& operands, std::span<const cl_event> waits, const Choice& choice) {
  StrassenProblem aligned = problem;
  aligned.product.offset_alignment = detail::aligned_as_promised(
      problem.product.offset_alignment, operands.a.offset | operands.b.offset | operands.c.offset);
  return state_of(engine)
      .part<detail::RecentPlans<StrassenPlan, StrassenProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
