// The factorisation, and the solution with its factors. Both consist of the kernels of cl/lu/ and of plans of other
// operations, which get parts of the call's workspace.
#pragma once

#include <optional>
#include <vector>

#include "lu/lu_kernels.hpp"
#include "lu/lu_problem.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/triangular.hpp"
#include "triangular/few_lines.hpp"

namespace tilewright::detail {

/// A right-looking factorisation by panels. A panel is factored sub-panel by sub-panel. Then its row interchanges are
/// applied to the columns on both sides, its rows of U are solved for, and the trailing matrix A22 is updated.
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

  /// Returns the bytes of workspace that the products need.
  std::uint64_t workspace_bytes() const;
  void explain(Explanation& explanation) const;
  /// `subpanels` has LuKernels::subpanel_bytes() bytes, and `products` has workspace_bytes().
  void enqueue(CommandChain& chain, const LuKernels& kernels, const LuView& a, const LuIntegers& pivots,
               const LuIntegers& info, const WorkspaceRef& subpanels, const WorkspaceRef& products) const;

 private:
  void factor_panel(CommandChain& chain, const LuKernels& kernels, const LuView& a, std::uint64_t begin,
                    std::uint64_t end, const LuIntegers& pivots, const LuIntegers& info,
                    const WorkspaceRef& subpanels) const;
  void solve_for_rows(CommandChain& chain, const LuKernels& kernels, const LuView& a, std::uint64_t begin,
                      std::uint64_t end) const;

  LuProblem problem_;
  LuShape shape_;
  std::vector<std::optional<GemmPlan>> products_;  // one per panel; empty if there is no trailing matrix
};

/// Solves op(A) X = B, or inverts A, with the factors of A. On CPUs, inverses leave out the zeros of L^-1: A^-1 = U^-1
/// L^-1 P, where columns of L^-1 need only the rows from the first of them on. P comes last, and interchanges columns.
class LuSolution {
 public:
  LuSolution(const Engine& engine, const LuProblem& problem, const LuShape& shape, const Choice& products);

  std::uint64_t workspace_bytes() const;
  void explain(Explanation& explanation) const;
  void enqueue(CommandChain& chain, const LuKernels& kernels, const LuView& a, const LuIntegers& pivots,
               const LuView& b, const WorkspaceRef& workspace) const;

 private:
  LuProblem problem_;
  std::optional<FewLinesSolver> few_lines_;  // solves in one launch
  bool is_small_ = false;                    // solved by one launch of small_solve.cl
  /// Columns of the inverse per system with L, each of which begins at its own rows and columns; 0: one system for all
  /// columns of P.
  std::uint64_t inverse_width_ = 0;
  std::vector<TrsmPlan> lower_;
  std::optional<TrsmPlan> upper_;
};

}  // namespace tilewright::detail
