// The state of a PosvPlan: a factorisation and a solution.
#pragma once

#include <memory>

#include "cholesky/problem.hpp"
#include "runtime/engine_state.hpp"
#include "runtime/memory/workspace_arena.hpp"

namespace tilewright {

/// Keeps no Engine, because the engine keeps plans.
class PosvPlan::State {
 public:
  State(const Engine& engine, const PosvProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const PosvOperands& operands, std::span<const cl_event> waits) const;

  const PosvProblem& problem() const { return problem_; }
  const Explanation& explanation() const { return explanation_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  const detail::OwnProcess& process() const { return programs_->process(); }

 private:
  cl::Context context_;
  cl::Device device_;
  std::shared_ptr<detail::ProgramStore> programs_;
  std::shared_ptr<detail::WorkspaceArena> arena_;
  PosvProblem problem_;
  detail::PotrfSystem system_;
  PotrfPlan factor_;
  PotrsPlan solve_;
  std::uint64_t workspace_bytes_;
  Explanation explanation_;
};

}  // namespace tilewright
