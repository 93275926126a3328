// A variant's configurations that keep all rules.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/configuration_check.hpp"
#include "selection/operation.hpp"

namespace tilewright::detail {

/// Returns at most `most` of a variant's preferences, with the forced values, that keep the rules. `broken` receives
/// the first broken rule.
template <class Problem>
std::vector<Configuration> usable_configurations(const Variant<Problem>& variant, const Problem& problem,
                                                 const DeviceProfile& device, const Configuration& forced,
                                                 std::string& broken, std::size_t most = SIZE_MAX) {
  std::vector<Configuration> usable;
  for (Configuration& configuration : variant.preferences(problem, device)) {
    if (usable.size() == most) break;
    configuration.merge(forced);
    const std::string rule = violation(variant, configuration, problem, device);
    if (rule.empty())
      usable.push_back(std::move(configuration));
    else if (broken.empty())
      broken = to_string(configuration) + ": " + rule;
  }
  return usable;
}

/// Returns why a variant declares a problem unsupported on a device; empty if it declares it supported.
template <class Problem>
std::string why_declined(const Variant<Problem>& variant, const Problem& problem, const DeviceProfile& device) {
  if (auto why = Operation<Problem>::unsupported_type(problem, device); !why.empty()) return why;
  if constexpr (requires { Operation<Problem>::stored_type(problem); })
    if (std::find(variant.types.begin(), variant.types.end(), Operation<Problem>::stored_type(problem)) ==
        variant.types.end())
      return variant.why_no_other_type;
  return variant.unsupported(problem, device);
}

/// Returns why a variant cannot do a problem on a device; empty if it can.
template <class Problem>
std::string why_unsupported(const Variant<Problem>& variant, const Problem& problem, const DeviceProfile& device) {
  if (auto why = why_declined(variant, problem, device); !why.empty()) return why;
  std::string broken;
  for (const Configuration& configuration : variant.preferences(problem, device)) {
    const std::string rule = violation(variant, configuration, problem, device);
    if (rule.empty()) return {};
    if (broken.empty()) broken = to_string(configuration) + ": " + rule;
  }
  return "no configuration fits: " + broken;
}

/// One of the untuned choices, which are tried in order.
template <class Problem>
struct Default {
  Untuned<Problem> untuned;
  bool (*suits)(const Problem&, const DeviceProfile&) = nullptr;  ///< null: for all problems
};

/// Returns the first default that suits a problem and supports it. Throws Error(unsupported_variant).
template <class Problem>
UntunedChoice<Problem> first_usable(std::span<const Default<Problem>> defaults, const Problem& problem,
                                    const DeviceProfile& device) {
  for (const Default<Problem>& candidate : defaults) {
    if (candidate.suits != nullptr && !candidate.suits(problem, device)) continue;
    const Variant<Problem>& variant = *candidate.untuned.variant;
    if (!why_declined(variant, problem, device).empty()) continue;
    std::string broken;
    auto usable = usable_configurations(variant, problem, device, {}, broken, 1);
    if (usable.empty()) continue;
    return {candidate.untuned, std::move(usable.front())};
  }
  throw Error(ErrorCode::unsupported_variant, "no variant can do this problem on " + device.name);
}

}  // namespace tilewright::detail
