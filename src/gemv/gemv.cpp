#include "tilewright/gemv.hpp"

#include <string>
#include <utility>

#include "gemv/vector_product_plan.hpp"
#include "kernels/recent_plans.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright {

using detail::translated;

// The problem as the caller wrote it, and the product that computes it.
class GemvPlan::State {
 public:
  State(const Engine& engine, const GemvProblem& problem, const Choice& choice)
      : asked(problem), plan(engine, detail::product_of(problem), choice) {}

  GemvProblem asked;
  detail::VectorProductPlan plan;
};

class GerPlan::State {
 public:
  State(const Engine& engine, const GerProblem& problem, const Choice& choice)
      : asked(problem), plan(engine, detail::product_of(problem), choice) {}

  GerProblem asked;
  detail::VectorProductPlan plan;
};

GemvPlan::GemvPlan(const Engine& engine, const GemvProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
GemvPlan::~GemvPlan() {
  if (state_) detail::DriverDelete{state_->plan.process()}(state_.release());
}
GemvPlan::GemvPlan(GemvPlan&&) noexcept = default;
GemvPlan& GemvPlan::operator=(GemvPlan&& other) noexcept {
  GemvPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event GemvPlan::enqueue(cl_command_queue queue, const GemvOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] {
    return state_->plan.enqueue(queue,
                                {.alpha = operands.alpha,
                                 .beta = operands.beta,
                                 .refs = {operands.a, operands.x, operands.y},
                                 .workspace = operands.workspace,
                                 .event = operands.event},
                                waits);
  });
}

const GemvProblem& GemvPlan::problem() const { return state_->asked; }
const Explanation& GemvPlan::explanation() const { return state_->plan.explanation(); }
std::uint64_t GemvPlan::workspace_bytes() const { return state_->plan.workspace_bytes(); }

GerPlan::GerPlan(const Engine& engine, const GerProblem& problem, const Choice& choice)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, choice); })) {}
GerPlan::~GerPlan() {
  if (state_) detail::DriverDelete{state_->plan.process()}(state_.release());
}
GerPlan::GerPlan(GerPlan&&) noexcept = default;
GerPlan& GerPlan::operator=(GerPlan&& other) noexcept {
  GerPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event GerPlan::enqueue(cl_command_queue queue, const GerOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] {
    return state_->plan.enqueue(queue,
                                {.alpha = operands.alpha,
                                 .beta = 1,
                                 .refs = {operands.x, operands.y, operands.a},
                                 .workspace = operands.workspace,
                                 .event = operands.event},
                                waits);
  });
}

const GerProblem& GerPlan::problem() const { return state_->asked; }
const Explanation& GerPlan::explanation() const { return state_->plan.explanation(); }
std::uint64_t GerPlan::workspace_bytes() const { return state_->plan.workspace_bytes(); }

Support gemv_support(const DeviceProfile& device, std::string_view variant, const GemvProblem& problem) {
  return gemm_support(device, variant, detail::product_of(problem).product);
}
Support ger_support(const DeviceProfile& device, std::string_view variant, const GerProblem& problem) {
  return gemm_support(device, variant, detail::product_of(problem).product);
}

namespace {

Explanation explained(const DeviceProfile& device, const detail::VectorProduct& call, const Choice& choice) {
  return detail::explain_vector_product(call, explain_gemm(device, call.product, choice));
}

}  // namespace

Explanation explain_gemv(const DeviceProfile& device, const GemvProblem& problem, const Choice& choice) {
  return explained(device, detail::product_of(problem), choice);
}
Explanation explain_ger(const DeviceProfile& device, const GerProblem& problem, const Choice& choice) {
  return explained(device, detail::product_of(problem), choice);
}

Event gemv(const Engine& engine, cl_command_queue queue, const GemvProblem& problem, const GemvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  GemvProblem aligned = problem;
  aligned.offset_alignment =
      detail::aligned_as_promised(problem.offset_alignment, operands.a.offset | operands.x.offset | operands.y.offset);
  return state_of(engine)
      .part<detail::RecentPlans<GemvPlan, GemvProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

Event ger(const Engine& engine, cl_command_queue queue, const GerProblem& problem, const GerOperands& operands,
          std::span<const cl_event> waits, const Choice& choice) {
  GerProblem aligned = problem;
  aligned.offset_alignment =
      detail::aligned_as_promised(problem.offset_alignment, operands.x.offset | operands.y.offset | operands.a.offset);
  return state_of(engine)
      .part<detail::RecentPlans<GerPlan, GerProblem, Choice>>()
      .get(engine, aligned, choice)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
