// The state of a TrsmPlan: the kernels for the diagonal blocks, and the plans of the products between blocks.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "triangular/block_solver.hpp"
#include "triangular/steps.hpp"

namespace tilewright {

/// Keeps no Engine, because the engine keeps plans.
class TrsmPlan::State {
 public:
  State(const Engine& engine, const TrsmProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TrsmOperands& operands, std::span<const cl_event> waits);

  const TrsmProblem& problem() const { return problem_; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const detail::OwnProcess& process() const { return programs_->process(); }

 private:
  void plan_steps(const Engine& engine, const Choice& choice);
  Explanation explained() const;
  void multiply(detail::CommandChain& chain, const detail::TrsmStep& step, const TrsmOperands& operands, double factor,
                bool event) const;

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  TrsmProblem problem_;  // as the caller wrote it
  detail::TrsmSystem system_;
  detail::TrsmSteps steps_;
  std::vector<GemmPlan> products_;
  Explanation explanation_;
  std::uint64_t packed_bytes_ = 0;  // first part of the workspace; the products use the rest
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;  // held while kernel arguments are set and kernels are enqueued
  bool was_enqueued_ = false;
  std::unique_ptr<detail::TrsmBlockSolver> solver_;  // null: nothing to do
};

}  // namespace tilewright
