// The state of a PotrfPlan: the kernels for diagonal blocks, and the plans of systems and products between blocks.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cholesky/block_kernels.hpp"
#include "cholesky/steps.hpp"

namespace tilewright {

/// Keeps no Engine, because the engine keeps plans.
class PotrfPlan::State {
 public:
  State(const Engine& engine, const PotrfProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits);

  const PotrfProblem& problem() const { return problem_; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const detail::OwnProcess& process() const { return programs_->process(); }

 private:
  void plan_steps(const Engine& engine, const Choice& choice);
  Explanation explained() const;
  Event enqueue_zero_infos(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits);
  void run(const detail::PotrfStep& step, detail::CommandChain& chain, const PotrfOperands& operands, bool event);

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  PotrfProblem problem_;  // as the caller wrote it
  detail::PotrfSystem system_;
  detail::PotrfSteps steps_;
  std::vector<TrsmPlan> solves_;
  std::vector<GemmPlan> products_;
  Explanation explanation_;
  std::uint64_t tile_bytes_ = 0;  // first part of the workspace; the plans use the rest
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;  // held while kernel arguments are set and kernels are enqueued
  bool was_enqueued_ = false;
  std::unique_ptr<detail::PotrfKernels> kernels_;  // null: nothing to factor
};

}  // namespace tilewright
