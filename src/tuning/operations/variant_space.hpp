#pragma once

#include <memory>

#include "kernels/configuration_check.hpp"
#include "tuning/search/space.hpp"

namespace tilewright::tuning {

/// The configurations of a variant that keep its constraints and the device's limits, for a normalized problem of its
/// operation. The variant must outlive it, as the library's own do.
/// One rule for each step of detail::violation, in its order, so that each can be asked as early as possible.
template <class P>
Space variant_space(const detail::Variant<P>& variant, const P& problem, const DeviceProfile& device) {
  struct Conditions {
    const detail::Variant<P>& variant;
    P problem;
    DeviceProfile device;
  };
  const auto given = std::make_shared<const Conditions>(Conditions{variant, problem, device});
  std::vector<Rule> rules{
      [given](const Configuration& c) { return detail::range_violation(given->variant.parameters, c).empty(); }};
  for (const auto& constraint : variant.constraints)
    rules.emplace_back(
        [given, holds = constraint.holds](const Configuration& c) { return holds(c, given->problem, given->device); });
  rules.emplace_back([given](const Configuration& c) {
    return detail::group_limit_violation(given->variant, c, given->problem, given->device).empty();
  });
  rules.emplace_back([given](const Configuration& c) {
    return detail::local_memory_violation(given->variant, c, given->problem, given->device).empty();
  });
  rules.emplace_back([given](const Configuration& c) {
    return detail::private_memory_violation(given->variant, c, given->problem, given->device).empty();
  });
  return {variant.parameters, std::move(rules)};
}

}  // namespace tilewright::tuning
