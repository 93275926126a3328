// Launches of cl/rank_k/merge_triangle.cl, which changes one triangle of C.
#pragma once

#include <complex>

#include "kernels/launch_sequence.hpp"
#include "rank_k/policy.hpp"
#include "rank_k/problem.hpp"

namespace tilewright::detail {

/// The compiled kernel for one problem. Calls set kernel arguments, so only one thread may call at a time. Keeps no
/// Engine.
class RankKMergeKernel {
 public:
  RankKMergeKernel(const Engine& engine, const RankKSystem& system, const RankKShape& shape);

  /// Multiplies the triangle by beta and adds the products for the blocks on its diagonal.
  void merge(CommandChain& chain, std::complex<double> beta, const MatrixRef& c, const MatrixRef& products,
             bool event) const;
  /// Multiplies the whole triangle by beta. C is not read if beta is 0.
  void scale(CommandChain& chain, std::complex<double> beta, const MatrixRef& c, bool event) const;

  const cl::Program& program() const { return merge_.program(); }

 private:
  LaunchSequence merge_, scale_;
};

}  // namespace tilewright::detail
