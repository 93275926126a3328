#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cholesky/block_kernels.hpp"
#include "cholesky/steps.hpp"

namespace tilewright {

/// Keeps no Engine: the engine keeps plans.
class PotrfPlan::State {
 public:
  State(const Engine& engine, const PotrfProblem& problem, const Choice& products);

  /// Throws what PotrfPlan::enqueue throws of a queue, waits and operands.
  void check(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits) const;
  Event enqueue(cl_command_queue queue, const PotrfOperands& operands, std::span<const cl_event> waits);

  const PotrfProblem& asked() const { return asked_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const detail::OwnProcess& process() const { return programs_->process(); }

 private:
  void plan_steps(const Engine& engine, const Choice& products);
  void run(const detail::PotrfStep& step, detail::CommandChain& chain, const PotrfOperands& operands, bool event);

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  PotrfProblem asked_;
  detail::PotrfSystem system_;
  detail::PotrfSteps steps_;
  std::vector<TrsmPlan> solves_;
  std::vector<GemmPlan> products_;
  std::uint64_t tile_bytes_ = 0;  // of the workspace, before what the plans take
  std::uint64_t workspace_bytes_ = 0;

  std::mutex mutex_;  // held while kernels' arguments are set and enqueued
  bool was_enqueued_ = false;
  std::unique_ptr<detail::PotrfKernels> kernels_;  // null: nothing to factor
};

}  // namespace tilewright
