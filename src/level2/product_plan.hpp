// Plans of symv and trmv: a product of a stored triangle and a vector.
#pragma once

#include <span>

#include "kernels/plans/plan_state.hpp"
#include "level2/program.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright::detail {

/// y = alpha M x + beta y, where the stored triangle contributes to M in up to two ways: see cl/level2/product.cl. The
/// vectors of `problem` are x and y, or only x, which y then replaces.
struct TriangleProduct {
  Level2Problem problem{};
  bool row_sums = true, column_sums = true;
  bool conjugate_rows = false, conjugate_columns = false;
  bool is_unit = false, has_real_diagonal = false;

  bool in_place() const { return problem.vectors.size() == 1; }
  const Level2Vector& x() const { return problem.vectors[0]; }
  const Level2Vector& y() const { return problem.vectors[problem.vectors.size() - 1]; }
};

/// The data of one call. Scalars are rounded to the element type; an in-place product has 1 and 0.
struct ProductCall {
  Scalar alpha = 1, beta = 0;
  MatrixRef a{}, x{}, y{};
  WorkspaceRef workspace{};
  bool event = true;
};

class ProductPlan : public PlanBase {
 public:
  Event enqueue(cl_command_queue queue, const ProductCall& call, std::span<const cl_event> waits);

 protected:
  /// Throws Error as checked() and level2_shape() do, and Error(build_failed, out_of_memory).
  ProductPlan(const Engine& engine, const TriangleProduct& product, const Choice& choice);

 private:
  void check(const ProductCall& call, bool reads, bool reads_y) const;

  TriangleProduct product_;
  LaunchSequence multiply_;
  LaunchSequence scale_;  // y = beta y, for alpha = 0
  bool scale_was_enqueued_ = false;
};

}  // namespace tilewright::detail
