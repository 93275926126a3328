// A variant's configurations that keep all rules.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/configuration_check.hpp"
#include "selection/operation.hpp"

namespace tilewright::detail {

/// A configuration that keeps the rules, with its execution.
struct Usable {
  ParameterValues values;
  Execution execution;
};

/// Returns the first of a variant's preferences that keeps the rules; nothing if there is none. `broken` receives the
/// first broken rule.
template <class Problem>
std::optional<Usable> first_usable_configuration(const Variant<Problem>& variant,
                                                 const VariantProblem<Problem>& problem, const DeviceProfile& device,
                                                 std::string& broken) {
  for (const ParameterValues& values : variant.preferences(problem, device)) {
    Usable usable{values, {}};
    const std::string rule = violation(variant, values, problem, device, usable.execution);
    if (rule.empty()) return usable;
    if (broken.empty()) broken = to_string(configuration_of(variant, values)) + ": " + rule;
  }
  return {};
}

/// Returns a variant's preferences, with the forced values, that keep the rules. `broken` receives the first broken
/// rule.
template <class Problem>
std::vector<ParameterValues> usable_configurations(const Variant<Problem>& variant,
                                                   const VariantProblem<Problem>& problem, const DeviceProfile& device,
                                                   std::span<const ParameterSetting> forced, std::string& broken) {
  std::vector<ParameterValues> usable;
  for (ParameterValues& values : variant.preferences(problem, device)) {
    for (const ParameterSetting& setting : forced) values.set(setting);
    const std::string rule = violation(variant, values, problem, device);
    if (rule.empty())
      usable.push_back(values);
    else if (broken.empty())
      broken = to_string(configuration_of(variant, values)) + ": " + rule;
  }
  return usable;
}

/// Returns why a variant declares a problem unsupported on a device; empty if it declares it supported.
template <class Problem>
std::string why_declined(const Variant<Problem>& variant, const VariantProblem<Problem>& problem,
                         const DeviceProfile& device) {
  if (auto why = Operation<Problem>::unsupported_type(problem, device); !why.empty()) return why;
  if constexpr (requires { Operation<Problem>::stored_type(problem); })
    if (std::find(variant.needs.types.begin(), variant.needs.types.end(), Operation<Problem>::stored_type(problem)) ==
        variant.needs.types.end())
      return variant.needs.why_no_other_type;
  return variant.needs.unsupported(problem, device);
}

/// Returns why a variant cannot do a problem on a device; empty if it can.
template <class Problem>
std::string why_unsupported(const Variant<Problem>& variant, const VariantProblem<Problem>& problem,
                            const DeviceProfile& device) {
  if (auto why = why_declined(variant, problem, device); !why.empty()) return why;
  std::string broken;
  if (first_usable_configuration(variant, problem, device, broken)) return {};
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
    if (const auto usable = first_usable_configuration(variant, problem, device, broken))
      return {candidate.untuned, usable->values};
  }
  throw Error(ErrorCode::unsupported_variant, "no variant can do this problem on " + device.name);
}

}  // namespace tilewright::detail
