#include "tilewright/cholesky.hpp"

#include <utility>

#include "cholesky/potrf_state.hpp"
#include "cholesky/potrs_state.hpp"
#include "kernels/command_chain.hpp"
#include "kernels/recent_plans.hpp"

namespace tilewright {

using detail::translated;

PotrfPlan::PotrfPlan(const Engine& engine, const PotrfProblem& problem, const Choice& products)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, products); })) {}
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

const PotrfProblem& PotrfPlan::problem() const { return state_->asked(); }
std::uint64_t PotrfPlan::workspace_bytes() const { return state_->workspace_bytes(); }

Event potrf(const Engine& engine, cl_command_queue queue, const PotrfProblem& problem, const PotrfOperands& operands,
            std::span<const cl_event> waits, const Choice& products) {
  PotrfProblem aligned = problem;
  aligned.offset_alignment = detail::aligned_as_promised(problem.offset_alignment, operands.a.offset);
  return state_of(engine)
      .part<detail::RecentPlans<PotrfPlan, PotrfProblem, Choice>>()
      .get(engine, aligned, products)
      ->enqueue(queue, operands, waits);
}

PotrsPlan::PotrsPlan(const Engine& engine, const PotrsProblem& problem, const Choice& products)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, products); })) {}
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

const PotrsProblem& PotrsPlan::problem() const { return state_->asked(); }
std::uint64_t PotrsPlan::workspace_bytes() const { return state_->workspace_bytes(); }

namespace {

PotrsProblem aligned_for(PotrsProblem problem, const MatrixRef& a, const MatrixRef& b) {
  problem.offset_alignment = detail::aligned_as_promised(problem.offset_alignment, a.offset | b.offset);
  return problem;
}

}  // namespace

Event potrs(const Engine& engine, cl_command_queue queue, const PotrsProblem& problem, const PotrsOperands& operands,
            std::span<const cl_event> waits, const Choice& products) {
  return state_of(engine)
      .part<detail::RecentPlans<PotrsPlan, PotrsProblem, Choice>>()
      .get(engine, aligned_for(problem, operands.a, operands.b), products)
      ->enqueue(queue, operands, waits);
}

Event posv(const Engine& engine, cl_command_queue queue, const PotrsProblem& problem, MatrixRef a, MatrixRef b,
           MatrixRef info, std::span<const cl_event> waits, const Choice& products) {
  return translated([&] {
    const PotrsProblem p = aligned_for(problem, a, b);
    const PotrfProblem factored{.type = p.type,
                                .layout = p.layout,
                                .uplo = p.uplo,
                                .n = p.n,
                                .lda = p.lda,
                                .offset_alignment = p.offset_alignment,
                                .batch = {p.batch.count, p.batch.stride_a}};
    detail::EngineState& state = state_of(engine);
    const auto factor =
        state.part<detail::RecentPlans<PotrfPlan, PotrfProblem, Choice>>().get(engine, factored, products);
    const auto solve = state.part<detail::RecentPlans<PotrsPlan, PotrsProblem, Choice>>().get(engine, p, products);
    state.process().check();
    detail::check_queue(state.context(), state.device(), queue, waits);
    detail::check_posv_operands(state.context(), detail::potrf_system(factored, engine.profile()), p, a, b, info);
    detail::CommandChain chain(queue, waits, state.part<detail::WorkspaceArena>());
    chain.plan(*factor, PotrfOperands{.a = a, .info = info}, {});
    chain.plan(*solve, PotrsOperands{.a = a, .b = b}, {}, true);
    return chain.finish();
  });
}

}  // namespace tilewright
