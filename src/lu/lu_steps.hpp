// What a plan enqueues: the factorisation, and the solution by factors. Both are made of kernels of their own and of
// plans of other operations, which are lent their workspaces.
#pragma once

#include <optional>
#include <vector>

#include "lu/lu_kernels.hpp"
#include "lu/lu_problem.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

/// Right-looking, by panels; a panel by leaves. A panel is factored, its exchanges are applied to the left and to the
/// right of it, its rows of U are solved for, and their product with its columns of L is subtracted from the rest.
///
///        P0   P1                 U12 = L11^-1 A12
///      +----+----+--------+      A22 = A22 - L21 U12
///      | U  | U  |   U    |
///      | L  +----+--------+ P0   L11, U11, L21: factors of the panel
///      |    | 11 |  A12   |
///      |    +----+--------+ P1
///      |    | L21|  A22   |
///      +----+----+--------+
class LuFactorisation {
 public:
  LuFactorisation(const Engine& engine, const LuProblem& problem, const LuShape& shape, const Choice& products);

  /// Of the products.
  std::uint64_t workspace_bytes() const;
  /// `leaves` is LuKernels::leaf_bytes() of memory, `products` workspace_bytes().
  void enqueue(CommandChain& chain, const LuKernels& kernels, const LuView& a, const LuIntegers& pivots,
               const LuIntegers& info, const WorkspaceRef& leaves, const WorkspaceRef& products) const;

 private:
  void factor_panel(CommandChain& chain, const LuKernels& kernels, const LuView& a, std::uint64_t begin,
                    std::uint64_t end, const LuIntegers& pivots, const LuIntegers& info,
                    const WorkspaceRef& leaves) const;
  void solve_for_rows(CommandChain& chain, const LuKernels& kernels, const LuView& a, std::uint64_t begin,
                      std::uint64_t end) const;

  LuProblem problem_;
  LuShape shape_;
  std::vector<std::optional<GemmPlan>> products_;  // of each panel, where there is a rest
};

/// op(A) X = B, or X = A^-1, by factors.
class LuSolution {
 public:
  LuSolution(const Engine& engine, const LuProblem& problem, const LuShape& shape, const Choice& products);

  std::uint64_t workspace_bytes() const;
  void enqueue(CommandChain& chain, const LuKernels& kernels, const LuView& a, const LuIntegers& pivots,
               const LuView& b, const WorkspaceRef& workspace) const;

 private:
  LuProblem problem_;
  bool is_small_;  // one launch
  std::optional<TrsmPlan> lower_, upper_;
};

}  // namespace tilewright::detail
