// The search space of a variant.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/configuration_check.hpp"
#include "tuning/search/space.hpp"

namespace tilewright::tuning {

/// Returns the configurations of a variant that keep its constraints and the device's limits, for a normalized problem
/// of its operation. The variant must outlive the space, like the library's own variants do.
///
/// There is one rule per step of detail::violation, in its order, so that each is checked as early as possible. The
/// first and the last are checked late, because they exclude little: listed values are in range, and private memory is
/// large.
template <class P>
Space variant_space(const detail::Variant<P>& variant, const P& problem, const DeviceProfile& device) {
  struct Conditions {
    const detail::Variant<P>& variant;
    P problem;
    DeviceProfile device;
  };
  const auto given = std::make_shared<const Conditions>(Conditions{variant, problem, device});
  const auto strings = [](const std::vector<std::string_view>& names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  std::vector<Rule> rules{
      {{}, [given](const Configuration& c) { return detail::range_violation(given->variant.parameters, c).empty(); }}};
  for (const auto& constraint : variant.constraints)
    rules.push_back({strings(constraint.parameters), [given, holds = constraint.holds](const Configuration& c) {
                       return holds(c, given->problem, given->device);
                     }});
  rules.push_back({strings(variant.launches_from), [given](const Configuration& c) {
                     return detail::group_limit_violation(given->variant, c, given->problem, given->device).empty();
                   }});
  rules.push_back({strings(variant.local_bytes_from), [given](const Configuration& c) {
                     return detail::local_memory_violation(given->variant, c, given->problem, given->device).empty();
                   }});
  rules.push_back({{}, [given](const Configuration& c) {
                     return detail::private_memory_violation(given->variant, c, given->problem, given->device).empty();
                   }});
  return {variant.parameters, std::move(rules)};
}

}  // namespace tilewright::tuning
