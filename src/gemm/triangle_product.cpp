#include "kernels/plans/triangle_product.hpp"

#include "gemm/plan_state.hpp"

namespace tilewright {

GemmPlan::GemmPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}

namespace detail {

std::optional<GemmPlan> TriangleProduct::plan(const Engine& engine, const GemmProblem& problem,
                                              const WantedTriangle& triangle, const Choice& choice) {
  auto state = GemmPlan::State::of_triangle(engine, problem, triangle, choice);
  if (state == nullptr) return {};
  return GemmPlan(std::move(state));
}

}  // namespace detail
}  // namespace tilewright
