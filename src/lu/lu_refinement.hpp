// Mixed precision: systems in f64 or c128, solved with factors in f32 or c64 and refined.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lu/lu_steps.hpp"

namespace tilewright::detail {

/// gesv with refinements. A is rounded to f32 or c64 and factored in the workspace. X starts as 0 in the workspace.
/// Each step solves A D = B - A X with these factors, then adds D to X and computes the new residual in f64 or c128.
class LuRefinement {
 public:
  LuRefinement(const Engine& engine, const LuProblem& problem, const Choice& products);

  std::uint64_t workspace_bytes() const { return bytes_; }
  void enqueue(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;
  void explain(Explanation& explanation) const;

  const cl::Program& kernels_program() const { return kernels_.program(); }
  const cl::Program& program() const { return program_; }

 private:
  // Parts of the workspace: indices into offsets_.
  enum Part : std::size_t { low_a, corrections, solution, residual, sums, numbers, state, subpanels, plans, parts };

  MatrixRef at(const WorkspaceRef& workspace, Part part) const;
  std::size_t element_bytes(Part part) const;
  std::size_t groups_along(std::uint64_t elements, std::uint64_t max_groups) const;
  void launch(CommandChain& chain, const LaunchKernel& kernel, const char* name, std::array<std::size_t, 2> groups,
              std::vector<KernelArgument> arguments, std::span<const MatrixRef> matrices) const;
  void round(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;
  void step(CommandChain& chain, bool begins, const LuOperands& operands, const WorkspaceRef& workspace) const;
  void judge(CommandChain& chain, std::uint64_t refinement, const WorkspaceRef& workspace) const;
  void solve(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;
  void finish(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const;

  LuProblem problem_;
  LuProblem low_problem_;  // A and its factors
  LuKernels kernels_;      // for low_problem_
  LuFactorisation factorisation_;
  std::optional<LuSolution> solution_;  // neither exists if X is empty
  std::optional<GemmPlan> product_;
  LuShape shape_;
  std::uint64_t lines_, length_;  // of X: rows if it is row-major, otherwise columns
  std::uint64_t slices_;          // number of parts in which columns are summed for the norm of A
  std::array<std::uint64_t, parts> offsets_{};
  std::uint64_t bytes_ = 0;
  std::array<std::size_t, 3> max_groups_;
  cl::Program program_;
  LaunchKernel round_, norm_, step_, judge_, outcome_, publish_;
};

}  // namespace tilewright::detail
