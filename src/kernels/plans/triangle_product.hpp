// Plans of products of which only one triangle is wanted.
#pragma once

#include <memory>
#include <optional>

#include "kernels/operands/wanted_triangle.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"

namespace tilewright {
class GemmPlan;
struct GemmProblem;
}  // namespace tilewright

namespace tilewright::detail {

/// Makes plans whose calls compute one triangle of C, by the tiles that touch it. Defined by gemm.
class TriangleProduct {
 public:
  /// Returns the plan of a product without an epilogue, with m >= n for a lower triangle and m <= n for an upper one.
  /// `uplo` counts rows and columns of C as the caller does, and `parts` is ignored. Returns nothing if the variant
  /// that gemm would choose for as many tiles cannot skip tiles. Throws what GemmPlan's constructor throws.
  static std::optional<GemmPlan> plan(const Engine& engine, const GemmProblem& problem, const WantedTriangle& triangle,
                                      const Choice& choice);
};

}  // namespace tilewright::detail
