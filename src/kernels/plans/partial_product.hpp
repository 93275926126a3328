// Plans of products that leave out steps of k or tiles of C, or read one triangle of a symmetric factor.
#pragma once

#include <optional>

#include "kernels/operands/k_range.hpp"
#include "kernels/operands/symmetric_factor.hpp"
#include "kernels/operands/wanted_triangle.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"

namespace tilewright {
class GemmPlan;
struct GemmProblem;
}  // namespace tilewright

namespace tilewright::detail {

/// Makes plans of products without an epilogue. Defined by gemm.
class PartialProduct {
 public:
  /// Returns the plan of a row-major product that sums over the wanted steps of k only. `range` counts elements, not
  /// their parts. Returns nothing if the variant that gemm would choose for half of the steps cannot leave out steps,
  /// or would be slow. Unless the caller chooses a variant, CPUs need a triangle with blocks of one line, and GPUs
  /// longer blocks. Throws what GemmPlan's constructor throws.
  static std::optional<GemmPlan> plan(const Engine& engine, const GemmProblem& problem, const KRange& range,
                                      const Choice& choice);

  /// Returns the plan of a product that computes one triangle of C, by the tiles that touch it. A lower triangle needs
  /// m >= n, and an upper one m <= n. `uplo` counts rows and columns of C as the caller does, and `parts` is ignored.
  /// Returns nothing if the variant that gemm would choose for as many tiles cannot skip tiles. Throws what GemmPlan's
  /// constructor throws.
  static std::optional<GemmPlan> plan(const Engine& engine, const GemmProblem& problem, const WantedTriangle& triangle,
                                      const Choice& choice);

  /// Returns the plan of a row-major product with a symmetric factor, which is transposed as SymmetricFactor says.
  /// Returns nothing if the variant that gemm would choose cannot read one triangle, or on GPUs unless the caller
  /// chooses the variant. Throws what GemmPlan's constructor throws.
  static std::optional<GemmPlan> plan(const Engine& engine, const GemmProblem& problem, const SymmetricFactor& factor,
                                      const Choice& choice);
};

}  // namespace tilewright::detail
