#include "kernels/plans/partial_product.hpp"

#include "gemm/plan_state.hpp"

namespace tilewright {

// Inline, so that the static library offers programs no private constructor; only this file calls it.
inline GemmPlan::GemmPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}

namespace detail {

// CPUs multiply blocks faster than whole tiles by register_blocked, so there the caller must choose that variant. GPUs
// need blocks of more than one line, unless the caller chooses a variant.
std::optional<GemmPlan> PartialProduct::plan(const Engine& engine, const GemmProblem& problem, const KRange& range,
                                             const Choice& choice) {
  const bool is_by_lines = range.is_triangle && range.block == 1;
  if ((engine.profile().type == DeviceType::cpu) != is_by_lines && choice.variant.empty()) return {};
  auto state = GemmPlan::State::of_range(engine, problem, range, choice);
  if (state == nullptr) return {};
  return GemmPlan(std::move(state));
}

std::optional<GemmPlan> PartialProduct::plan(const Engine& engine, const GemmProblem& problem,
                                             const WantedTriangle& triangle, const Choice& choice) {
  auto state = GemmPlan::State::of_triangle(engine, problem, triangle, choice);
  if (state == nullptr) return {};
  return GemmPlan(std::move(state));
}

std::optional<GemmPlan> PartialProduct::plan(const Engine& engine, const GemmProblem& problem,
                                             const SymmetricFactor& factor, const Choice& choice) {
  if (engine.profile().type != DeviceType::cpu && choice.variant.empty()) return {};
  auto state = GemmPlan::State::of_symmetric(engine, problem, factor, choice);
  if (state == nullptr) return {};
  return GemmPlan(std::move(state));
}

}  // namespace detail
}  // namespace tilewright
