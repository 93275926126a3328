// The state of a PotrsPlan: two triangular systems.
#pragma once

#include <memory>

#include "cholesky/problem.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/memory/workspace_arena.hpp"

namespace tilewright {

/// Keeps no Engine, because the engine keeps plans.
class PotrsPlan::State {
 public:
  State(const Engine& engine, const PotrsProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PotrsOperands& operands, std::span<const cl_event> waits) const;

  const PotrsProblem& problem() const { return problem_; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const detail::OwnProcess& process() const { return programs_->process(); }

 private:
  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  PotrsProblem problem_;
  TrsmPlan first_, second_;
  std::uint64_t workspace_bytes_;
  Explanation explanation_;
};

}  // namespace tilewright
