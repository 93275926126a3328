// Systems in f64 by factors in f32, and refinement of what these give.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lu/lu_steps.hpp"

namespace tilewright::detail {

/// Throws Error(unsupported_type, invalid_configuration, invalid_batch) where a problem with refinements cannot be.
void check_refinements(const LuProblem& problem);

/// gesv with refinements, of a completed problem. A, rounded to f32, is factored in the workspace. X, in the workspace,
/// too, begins as 0; each step solves for what is left of B in f32, and adds that in f64.
class LuRefinement {
 public:
  LuRefinement(const Engine& engine, const LuProblem& problem, const Choice& products);

  std::uint64_t workspace_bytes() const { return bytes_; }
  void enqueue(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;
  /// Tells the store that all kernels were enqueued.
  void was_enqueued(ProgramStore& programs) const;

 private:
  // Parts of the workspace, by their places in offsets_.
  enum Part : std::size_t { low, corrections, solution, residual, sums, numbers, state, leaves, others, parts };

  MatrixRef at(const WorkspaceRef& workspace, Part part) const;
  std::size_t groups_along(std::uint64_t elements, std::uint64_t most) const;
  void launch(CommandChain& chain, const LaunchKernel& kernel, const char* name, std::array<std::size_t, 2> groups,
              std::vector<KernelArgument> arguments, std::span<const MatrixRef> matrices) const;
  void round(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;
  void step(CommandChain& chain, bool begins, const LuOperands& operands, const WorkspaceRef& workspace) const;
  void judge(CommandChain& chain, std::uint64_t refinement, const WorkspaceRef& workspace) const;
  void solve(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;
  void finish(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;

  LuProblem problem_, low_;  // low_: of the factors
  LuKernels kernels_;        // in f32
  LuFactorisation factorisation_;
  std::optional<LuSolution> solution_;  // these two where there is something to solve for
  std::optional<GemmPlan> product_;
  LuShape shape_;
  std::uint64_t lines_, length_;  // of X
  std::uint64_t slices_;          // of columns, for the norm of A
  std::array<std::uint64_t, parts> offsets_{};
  std::uint64_t bytes_ = 0;
  std::array<std::size_t, 3> max_groups_;
  cl::Program program_;
  LaunchKernel round_, norm_, step_, judge_, outcome_, publish_;
};

}  // namespace tilewright::detail
