// Plans of syr and syr2: an update of a stored triangle by one or two vectors.
#pragma once

#include <complex>
#include <span>

#include "kernels/plans/plan_state.hpp"
#include "level2/program.hpp"
#include "tilewright/scalar.hpp"

namespace tilewright::detail {

/// A = alpha x x^T + A, or with two vectors A = alpha x y^T + alpha y x^T + A, and the Hermitian forms.
struct TriangleUpdate {
  Level2Problem problem{};
  bool is_hermitian = false;

  bool has_two() const { return problem.vectors.size() == 2; }
};

/// The data of one call; `y` is ignored if there is one vector.
struct UpdateCall {
  Scalar alpha = 1;
  MatrixRef x{}, y{}, a{};
  WorkspaceRef workspace{};
  bool event = true;
};

class UpdatePlan : public PlanBase {
 public:
  Event enqueue(cl_command_queue queue, const UpdateCall& call, std::span<const cl_event> waits);

 protected:
  /// Throws Error as checked() and level2_shape() do, and Error(build_failed, out_of_memory).
  UpdatePlan(const Engine& engine, const TriangleUpdate& update, const Choice& choice);

 private:
  std::complex<double> alpha_of(const UpdateCall& call) const;
  void check(const UpdateCall& call, bool reads) const;

  TriangleUpdate update_;
  LaunchSequence launches_;
};

}  // namespace tilewright::detail
