// Runs the steps of a blocked algorithm: launches on diagonal blocks, and plans of systems and products between blocks.
#pragma once

#include <vector>

#include "cholesky/block_kernels.hpp"
#include "cholesky/steps.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// The compiled kernels and plans of the steps on one triangle. Calls set kernel arguments, so only one thread may call
/// at a time.
class StepRunner {
 public:
  /// Compiles the kernels and makes the plans. The matrix must have elements.
  StepRunner(const Engine& engine, const PotrfSystem& system, DiagonalTask task, const Choice& choice);

  std::uint64_t workspace_bytes() const { return exchange_bytes_ + tile_bytes_ + plan_bytes_; }
  const cl::Program& program() const { return kernels_.program(); }

  /// Appends all steps to a chain whose workspace is that long. `info` is written by factorisations only.
  void run(CommandChain& chain, const MatrixRef& a, const MatrixRef& info, bool event);

  /// Describes the diagonal blocks, and adds the plans as parts: each size once.
  void explain(Explanation& explanation) const;

 private:
  PotrfSteps steps_of(const PotrfForms& forms) const;
  bool plan_triangles(const Engine& engine, const Choice& choice);
  void run(const PotrfStep& step, CommandChain& chain, const MatrixRef& a, const MatrixRef& info, bool event);

  PotrfSystem system_;
  DiagonalTask task_;
  PotrfKernels kernels_;
  PotrfSteps steps_;
  std::vector<TrsmPlan> solves_;
  std::vector<GemmPlan> products_, triangles_;
  // The workspace: words that groups exchange, tiles, then that of the plan that runs.
  std::uint64_t exchange_bytes_ = 0, tile_bytes_ = 0, plan_bytes_ = 0;
};

}  // namespace tilewright::detail
