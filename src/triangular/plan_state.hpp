#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "triangular/block_solver.hpp"
#include "triangular/steps.hpp"

namespace tilewright {

/// Keeps no Engine: the engine keeps plans.
class TrsmPlan::State {
 public:
  State(const Engine& engine, const TrsmProblem& problem, const Choice& products);

  Event enqueue(cl_command_queue queue, const TrsmOperands& operands, std::span<const cl_event> waits);

  const TrsmProblem& asked() const { return asked_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const detail::OwnProcess& process() const { return programs_->process(); }

 private:
  void plan_steps(const Engine& engine, const Choice& products);
  void multiply(detail::CommandChain& chain, const detail::TrsmStep& step, const TrsmOperands& operands, double factor,
                bool event) const;

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  TrsmProblem asked_;
  detail::TrsmSystem system_;
  detail::TrsmSteps steps_;
  std::vector<GemmPlan> products_;
  std::uint64_t packed_bytes_ = 0;  // of the workspace, before what products take
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;  // held while kernels' arguments are set and enqueued
  bool was_enqueued_ = false;
  std::unique_ptr<detail::TrsmBlockSolver> solver_;  // null: nothing to do
};

}  // namespace tilewright
