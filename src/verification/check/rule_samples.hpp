// Configurations that satisfy or break a variant's constraints, to compare these with the #errors of its kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "kernels/configuration_check.hpp"

namespace tilewright::verification {

template <class Problem>
struct RuleSamples {
  struct Outside {
    detail::ParameterValues values;
    const detail::Constraint<Problem>* broken;
  };
  std::vector<detail::ParameterValues> inside;
  std::vector<Outside> outside;
};

/// Returns the first constraint that values of parameters break, or null. Later constraints may rely on earlier ones.
template <class Problem>
const detail::Constraint<Problem>* broken_constraint(const detail::Variant<Problem>& variant,
                                                     const detail::ParameterValues& values, const Problem& problem,
                                                     const DeviceProfile& device) {
  for (const auto& constraint : variant.constraints)
    if (!constraint.holds(values, problem, device)) return &constraint;
  return nullptr;
}

/// Returns samples derived from `bases`, which satisfy the constraints. First sets each parameter of the first bases to
/// many values. Then walks through the space: each step changes one to three parameters to values that the tuner tries
/// or to values near the present ones. Ignores limits of the device, and keeps parameters that the kernel does not see.
/// Equal in every run.
template <class Problem>
RuleSamples<Problem> sample_rules(const detail::Variant<Problem>& variant, const Problem& problem,
                                  const DeviceProfile& device, std::vector<detail::ParameterValues> bases) {
  constexpr std::size_t max_inside = 400, max_outside = 40;  // max_outside is per constraint
  constexpr int steps = 6000;
  RuleSamples<Problem> samples;
  std::vector<const detail::VariantParameter*> seen;
  for (const detail::VariantParameter& parameter : variant.parameters)
    if (std::none_of(variant.program.launch_parameters.begin(), variant.program.launch_parameters.end(),
                     [&](const detail::ParameterMember& member) { return member.index == parameter.member.index; }))
      seen.push_back(&parameter);
  samples.inside = std::move(bases);
  if (seen.empty() || samples.inside.empty()) return samples;

  std::map<const detail::Constraint<Problem>*, std::size_t> found;
  const auto take = [&](const detail::ParameterValues& values) {
    if (!detail::range_violation(variant.parameters, values).empty()) return;
    const auto* const broken = broken_constraint(variant, values, problem, device);
    if (broken != nullptr) {
      if (found[broken]++ < max_outside) samples.outside.push_back({values, broken});
    } else if (samples.inside.size() < max_inside &&
               std::find(samples.inside.begin(), samples.inside.end(), values) == samples.inside.end()) {
      samples.inside.push_back(values);
    }
  };

  const std::vector<detail::ParameterValues> foremost(
      samples.inside.begin(), samples.inside.begin() + std::min<std::ptrdiff_t>(4, std::ssize(samples.inside)));
  for (const detail::ParameterValues& base : foremost)
    for (const detail::VariantParameter* const parameter : seen)
      for (const std::int64_t value : {1, 2, 3, 5, 8, 12, 24, 64, 65, 128, 129, 256, 257, 1024}) {
        detail::ParameterValues next = base;
        next.set({parameter->member, value});
        take(next);
      }

  std::mt19937_64 random(1);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  for (int step = 0; step < steps; ++step) {
    detail::ParameterValues next = samples.inside[below(samples.inside.size())];
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const detail::VariantParameter& parameter = *seen[below(seen.size())];
      const std::int64_t value = next[parameter.member.index];
      const std::int64_t beside[] = {value - 1, value + 1, 2 * value, value / 2};
      const bool listed = below(3) > 0;
      next.set({parameter.member, listed ? parameter.values[below(parameter.values.size())] : beside[below(4)]});
    }
    take(next);
  }
  return samples;
}

}  // namespace tilewright::verification
