#include "kernels/plans/ranged_product.hpp"

#include "gemm/plan_state.hpp"

namespace tilewright::detail {

// CPUs multiply blocks faster than whole tiles by register_blocked, so there the caller must choose that variant. GPUs
// multiply triangles in blocks, unless the caller chooses a variant.
std::optional<GemmPlan> RangedProduct::plan(const Engine& engine, const GemmProblem& problem, const KRange& range,
                                            const Choice& choice) {
  if ((engine.profile().type == DeviceType::cpu) != range.is_triangle && choice.variant.empty()) return {};
  auto state = GemmPlan::State::of_range(engine, problem, range, choice);
  if (state == nullptr) return {};
  return GemmPlan(std::move(state));
}

}  // namespace tilewright::detail
