#include "tilewright/lu.hpp"

#include <mutex>
#include <utility>

#include "kernels/enqueue_launch.hpp"
#include "kernels/recent_plans.hpp"
#include "kernels/sizes.hpp"
#include "lu/lu_refinement.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright {

using namespace detail;

// Keeps no Engine: the engine keeps plans.
class LuPlan::State {
 public:
  State(const Engine& engine, const LuProblem& problem, const Choice& products)
      : asked(problem),
        context_(state_of(engine).context()),
        device_(state_of(engine).device()),
        programs_(state_of(engine).programs()),
        arena_(state_of(engine).shared_part<WorkspaceArena>()),
        problem_(completed(problem, engine.profile())) {
    process().check();
    check_problem(problem_);
    if (is_empty(problem_)) return;
    if (problem_.refinements != 0) {
      refinement_.emplace(engine, problem_, products);
      workspace_bytes_ = refinement_->workspace_bytes();
    } else {
      make_steps(engine, products);
    }
    reserve_workspace(*arena_, engine, workspace_bytes_);
  }

  Event enqueue(cl_command_queue queue, const LuOperands& operands, std::span<const cl_event> waits) {
    process().check();
    check_queue(context_, device_, queue, waits);
    if (problem_.batch.count != 0) check_operands(context_, problem_, operands, workspace_bytes_);
    if (!kernels_ && !refinement_) return enqueue_marker(queue, waits);
    const std::lock_guard lock(mutex_);
    CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
    enqueue_tasks(chain, operands, chain.workspace());
    Event last = chain.finish(true);
    if (!std::exchange(was_enqueued_, true)) {
      if (refinement_) refinement_->was_enqueued(*programs_);
      if (kernels_) programs_->enqueued(kernels_->program());
    }
    return last;
  }

  const OwnProcess& process() const { return programs_->process(); }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

  LuProblem asked;

 private:
  void make_steps(const Engine& engine, const Choice& products) {
    const LuUse use = use_of(problem_.task);
    kernels_.emplace(engine, problem_);
    std::uint64_t others = 0;
    if (use.factors) {
      factorisation_.emplace(engine, problem_, kernels_->shape(), products);
      leaf_bytes_ = rounded_up(kernels_->leaf_bytes(problem_.m), static_cast<std::int64_t>(workspace_alignment));
      others = factorisation_->workspace_bytes();
    }
    if (use.solves || use.inverts) {
      solution_.emplace(engine, problem_, kernels_->shape(), products);
      others = std::max(others, solution_->workspace_bytes());
    }
    workspace_bytes_ = leaf_bytes_ + others;
  }

  void enqueue_tasks(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) {
    if (refinement_) return refinement_->enqueue(chain, operands, workspace);
    const LuProblem& p = problem_;
    const LuUse use = use_of(p.task);
    const LuView a = view_of(operands.a, p.layout, p.lda, p.batch.stride_a);
    const LuIntegers pivots{operands.pivots, p.batch.stride_pivots}, info{operands.info, p.batch.stride_info};
    const WorkspaceRef others{workspace.buffer, workspace.offset + leaf_bytes_};
    if (use.factors) factorisation_->enqueue(chain, *kernels_, a, pivots, info, workspace, others);
    if (solution_)
      solution_->enqueue(chain, *kernels_, a, pivots, view_of(operands.b, p.layout, p.ldb, p.batch.stride_b), others);
    if (use.measures) kernels_->determinant(chain, a, p.n, pivots, {operands.determinant, p.batch.stride_determinant});
  }

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  std::shared_ptr<WorkspaceArena> arena_;
  LuProblem problem_;
  // Without these two there is nothing to do.
  std::optional<LuRefinement> refinement_;
  std::optional<LuKernels> kernels_;
  std::optional<LuFactorisation> factorisation_;
  std::optional<LuSolution> solution_;
  std::uint64_t leaf_bytes_ = 0;
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;  // held while a call is enqueued
  bool was_enqueued_ = false;
};

LuPlan::LuPlan(const Engine& engine, const LuProblem& problem, const Choice& products)
    : state_(translated([&] { return std::make_unique<State>(engine, problem, products); })) {}
LuPlan::~LuPlan() {
  if (state_) DriverDelete{state_->process()}(state_.release());
}
LuPlan::LuPlan(LuPlan&&) noexcept = default;
LuPlan& LuPlan::operator=(LuPlan&& other) noexcept {
  LuPlan taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

Event LuPlan::enqueue(cl_command_queue queue, const LuOperands& operands, std::span<const cl_event> waits) const {
  return translated([&] { return state_->enqueue(queue, operands, waits); });
}

const LuProblem& LuPlan::problem() const { return state_->asked; }
std::uint64_t LuPlan::workspace_bytes() const { return state_->workspace_bytes(); }

Event lu(const Engine& engine, cl_command_queue queue, const LuProblem& problem, const LuOperands& operands,
         std::span<const cl_event> waits, const Choice& products) {
  LuProblem aligned = problem;
  aligned.offset_alignment = aligned_as_promised(problem.offset_alignment, operands.a.offset | operands.b.offset);
  return state_of(engine)
      .part<RecentPlans<LuPlan, LuProblem, Choice>>()
      .get(engine, aligned, products)
      ->enqueue(queue, operands, waits);
}

}  // namespace tilewright
