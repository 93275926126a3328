#include "kernels/plans/triangle_product.hpp"

#include "gemm/plan_state.hpp"

namespace tilewright {

GemmPlan::GemmPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}

namespace detail {

// CPUs multiply the blocks of a triangle faster than whole tiles by register_blocked, so there the caller must choose
// that variant.
std::optional<GemmPlan> TriangleProduct::plan(const Engine& engine, const GemmProblem& problem,
                                              const WantedTriangle& triangle, const Choice& choice) {
  if (engine.profile().type == DeviceType::cpu && choice.variant.empty()) return {};
  auto state = GemmPlan::State::of_triangle(engine, problem, triangle, choice);
  if (state == nullptr) return {};
  return GemmPlan(std::move(state));
}

}  // namespace detail
}  // namespace tilewright
