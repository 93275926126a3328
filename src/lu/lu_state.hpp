// The shared implementation of GetrfPlan, GetrsPlan, GesvPlan, GetriPlan and DetPlan.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "lu/lu_refinement.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright::detail {

/// One task of LU with its kernels compiled. Does not hold the Engine, because the engine keeps plans. Thread-safe.
class LuState {
 public:
  LuState(const Engine& engine, const LuProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const LuOperands& operands, std::span<const cl_event> waits);

  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  void plan_steps(const Engine& engine, const Choice& choice);
  void explain();
  void enqueue_steps(CommandChain& chain, const LuOperands& operands) const;

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<ProgramStore> programs_;
  std::shared_ptr<WorkspaceArena> arena_;
  LuProblem problem_;
  // Neither of these two exists if the problem is empty.
  std::optional<LuRefinement> refinement_;
  std::optional<LuKernels> kernels_;
  std::optional<LuFactorisation> factorisation_;
  std::optional<LuSolution> solution_;
  std::uint64_t subpanel_bytes_ = 0;
  std::uint64_t workspace_bytes_ = 0;
  Explanation explanation_;

  std::mutex mutex_;  // held while a call sets kernel arguments and enqueues
  bool was_enqueued_ = false;
};

/// The state of a public plan: the problem as the caller gave it, and its implementation.
template <class Problem>
struct LuPlanState {
  LuPlanState(const Engine& engine, const Problem& asked, const Choice& choice)
      : problem(asked), lu(engine, lu_problem(asked), choice) {}

  template <class Operands>
  Event enqueue(cl_command_queue queue, const Operands& operands, std::span<const cl_event> waits) {
    return translated([&] { return lu.enqueue(queue, lu_operands(operands), waits); });
  }

  Problem problem;
  LuState lu;
};

}  // namespace tilewright::detail
