// The search space of a variant.
#pragma once

#include <memory>
#include <span>
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
  std::vector<Rule> rules;
  // A rule that reads some of the parameters; none: all of them.
  const auto add = [&](std::span<const detail::ParameterMember> some, auto&& holds) {
    Rule rule;
    std::vector<detail::ParameterMember> members(some.begin(), some.end());
    for (const detail::VariantParameter& parameter : variant.parameters)
      if (some.empty()) members.push_back(parameter.member);
    for (const detail::ParameterMember& member : some)
      rule.parameters.emplace_back(variant.parameters[member.index].name);
    rule.holds = [given, members = std::move(members), holds](const Configuration& c) {
      return holds(*given, detail::values_of(given->variant.parameters, members, c));
    };
    rules.push_back(std::move(rule));
  };
  add({}, [](const Conditions& c, const detail::ParameterValues& values) {
    return detail::range_violation(c.variant.parameters, values).empty();
  });
  for (const auto& constraint : variant.constraints)
    add(constraint.parameters, [holds = constraint.holds](const Conditions& c, const detail::ParameterValues& values) {
      return holds(values, c.problem, c.device);
    });
  add(variant.execution_from, [](const Conditions& c, const detail::ParameterValues& values) {
    const auto execution = c.variant.execution(values, c.problem, c.device);
    return detail::group_limit_violation(execution.launches, c.device).empty();
  });
  add(variant.memory.local_bytes_from, [](const Conditions& c, const detail::ParameterValues& values) {
    return detail::local_memory_violation(c.variant, values, c.problem, c.device).empty();
  });
  add({}, [](const Conditions& c, const detail::ParameterValues& values) {
    return detail::private_memory_violation(c.variant, values, c.problem, c.device).empty();
  });
  return {detail::parameter_infos(variant.parameters), std::move(rules)};
}

}  // namespace tilewright::tuning
