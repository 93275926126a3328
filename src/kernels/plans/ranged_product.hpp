// Plans of products with a block triangular factor.
#pragma once

#include <optional>

#include "kernels/operands/k_range.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/engine.hpp"

namespace tilewright {
class GemmPlan;
struct GemmProblem;
}  // namespace tilewright

namespace tilewright::detail {

/// Makes plans whose calls sum over the wanted steps of k only. Defined by gemm.
class RangedProduct {
 public:
  /// Returns the plan of a row-major product without an epilogue. `range` counts elements, not their parts. Returns
  /// nothing if the variant that gemm would choose for half of the steps cannot leave out steps, or would be slow.
  /// Throws what GemmPlan's constructor throws.
  static std::optional<GemmPlan> plan(const Engine& engine, const GemmProblem& problem, const KRange& range,
                                      const Choice& choice);
};

}  // namespace tilewright::detail
