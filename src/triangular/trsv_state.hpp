// The state of a TrsvPlan: the trsm of a matrix with one column, whose leading dimension is the increment.
#pragma once

#include <memory>
#include <mutex>

#include "kernels/launch_sequence.hpp"
#include "triangular/problem.hpp"

namespace tilewright {

/// Keeps no Engine, because the engine keeps plans.
class TrsvPlan::State {
 public:
  State(const Engine& engine, const TrsvProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const TrsvOperands& operands, std::span<const cl_event> waits);

  const TrsvProblem& problem() const { return problem_; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return copy_bytes_ + plan_.workspace_bytes(); }
  const detail::OwnProcess& process() const { return programs_->process(); }

 private:
  std::unique_ptr<detail::LaunchSequence> copy_sequence(const Engine& engine, bool to_workspace) const;
  void check(const TrsvOperands& operands) const;
  Event enqueue_reversed(cl_command_queue queue, const TrsvOperands& operands, std::span<const cl_event> waits);

  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  TrsvProblem problem_;  // as the caller wrote it
  detail::TrsmSystem system_;
  TrsmPlan plan_;
  Explanation explanation_;
  std::uint64_t copy_bytes_ = 0;  // first part of the workspace: copies of reversed vectors; the plan uses the rest

  std::mutex mutex_;  // held while a call with copies is enqueued
  bool was_enqueued_ = false;
  std::unique_ptr<detail::LaunchSequence> copy_in_, copy_out_;  // null unless vectors are reversed
};

}  // namespace tilewright
