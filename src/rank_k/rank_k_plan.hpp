// The plan of a rank-k update: the plans of the products, and the kernel that merges the blocks on the diagonal.
#pragma once

#include <memory>
#include <vector>

#include "kernels/plans/plan_state.hpp"
#include "rank_k/joined_factors.hpp"
#include "rank_k/merge_kernel.hpp"
#include "rank_k/steps.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// Safe to use from many threads.
class RankKPlan : public PlanBase {
 public:
  RankKPlan(const Engine& engine, const RankKSystem& system, const Choice& choice)
      : RankKPlan(engine, system, choice, rank_k_shape(multiplied(system), engine.profile())) {}
  RankKPlan(const Engine& engine, const RankKSystem& system, const Choice& choice, const RankKShape& shape);

  Event enqueue(cl_command_queue queue, const RankKCall& call, std::span<const cl_event> waits);

 private:
  // The update that the products compute: the caller's, or the one with joined factors.
  static RankKSystem multiplied(const RankKSystem& system) {
    return needs_joined_factors(system) ? joined_system(system) : system;
  }
  void plan_products(const Engine& engine, const Choice& choice);
  bool plan_triangles(const Engine& engine, const Choice& choice);
  void plan_blocks(const Engine& engine, const Choice& choice);
  Explanation explained() const;
  void update(CommandChain& chain, const RankKCall& call, const RankKScalars& scalars) const;
  void multiply(CommandChain& chain, const RankKTerm& term, const RankKStep& step, const RankKCall& call,
                const RankKScalars& scalars, const MatrixRef& result, bool event) const;

  RankKSystem system_;      // the caller's
  RankKSystem multiplied_;  // the steps and the kernel that merges compute this one
  RankKShape shape_;
  RankKSteps steps_;
  std::vector<GemmPlan> products_;
  // The workspace: tiles, then the joined factors, then that of the products.
  std::uint64_t tile_bytes_ = 0, joined_bytes_ = 0;
  std::unique_ptr<FactorJoiner> joiner_;     // null: the products read A and B
  std::unique_ptr<RankKMergeKernel> merge_;  // null: nothing to do
};

}  // namespace tilewright::detail
