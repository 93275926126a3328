#include "tuning/gemm_space.hpp"

#include <memory>

#include "gemm/configuration_check.hpp"

namespace tilewright::tuning {

// One rule for each step of detail::broken_rule, in its order, so that each can be asked as early as possible.
Space gemm_space(const detail::GemmVariant& variant, const GemmProblem& problem, const DeviceProfile& device) {
  struct Conditions {
    const detail::GemmVariant& variant;
    GemmProblem problem;
    DeviceProfile device;
  };
  const auto given = std::make_shared<const Conditions>(Conditions{variant, problem, device});
  std::vector<Rule> rules{[given](const Configuration& c) { return detail::broken_range(given->variant, c).empty(); }};
  for (const auto& constraint : variant.constraints)
    rules.emplace_back(
        [given, holds = constraint.holds](const Configuration& c) { return holds(c, given->problem, given->device); });
  rules.emplace_back([given](const Configuration& c) {
    return detail::broken_group_limit(given->variant, c, given->problem, given->device).empty();
  });
  rules.emplace_back([given](const Configuration& c) {
    return detail::broken_local_memory_limit(given->variant, c, given->problem, given->device).empty();
  });
  rules.emplace_back([given](const Configuration& c) {
    return detail::broken_private_memory_limit(given->variant, c, given->problem, given->device).empty();
  });
  return {variant.parameters, std::move(rules)};
}

}  // namespace tilewright::tuning
