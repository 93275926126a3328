// Whether a configuration keeps the rules of its variant and those of every variant.
#pragma once

#include <algorithm>
#include <string>

#include "kernels/variant.hpp"

namespace tilewright::detail {

/// Throws Error(unknown_parameter) if a configuration names a parameter that the variant does not have.
void check_parameter_names(std::string_view variant, const std::vector<Parameter>& parameters,
                           const Configuration& configuration);

// The rules of every variant. Each function returns what is broken; empty if nothing is.
std::string range_violation(const std::vector<Parameter>& parameters, const Configuration& configuration);
std::string group_limit_violation(const std::vector<Launch>& launches, const DeviceProfile& device);
/// `of_item`: private bytes of a work-item of the launch `main`.
std::string private_memory_violation(std::uint64_t of_item, const Launch& main, const DeviceProfile& device);
/// `is_static`: the kernel's local memory is static; some devices have more of it.
std::string local_memory_violation(std::uint64_t bytes, bool is_static, const DeviceProfile& device);

template <class Problem>
std::string group_limit_violation(const Variant<Problem>& variant, const Configuration& configuration,
                                  const Problem& problem, const DeviceProfile& device) {
  return group_limit_violation(variant.launches(configuration, problem, device), device);
}

template <class Problem>
std::string private_memory_violation(const Variant<Problem>& variant, const Configuration& configuration,
                                     const Problem& problem, const DeviceProfile& device,
                                     const std::vector<Launch>& launches) {
  const std::uint64_t of_item = variant.private_bytes(configuration, problem, device);
  if (of_item == 0) return {};
  for (const Launch& launch : launches)
    if (launch.kernel == Operation<Problem>::name) return private_memory_violation(of_item, launch, device);
  return {};
}

template <class Problem>
std::string private_memory_violation(const Variant<Problem>& variant, const Configuration& configuration,
                                     const Problem& problem, const DeviceProfile& device) {
  return private_memory_violation(variant, configuration, problem, device,
                                  variant.launches(configuration, problem, device));
}

template <class Problem>
std::string local_memory_violation(const Variant<Problem>& variant, const Configuration& configuration,
                                   const Problem& problem, const DeviceProfile& device) {
  return local_memory_violation(variant.local_bytes(configuration, problem), variant.static_local_memory, device);
}

/// Returns the first rule that a complete configuration breaks, with its reason; empty if it keeps all rules.
template <class Problem>
std::string violation(const Variant<Problem>& variant, const Configuration& configuration, const Problem& problem,
                      const DeviceProfile& device) {
  if (auto broken = range_violation(variant.parameters, configuration); !broken.empty()) return broken;
  for (const auto& constraint : variant.constraints)
    if (!constraint.holds(configuration, problem, device))
      return std::string("'") + constraint.rule + "' does not hold: " + constraint.reason;
  const std::vector<Launch> launches = variant.launches(configuration, problem, device);
  if (auto broken = group_limit_violation(launches, device); !broken.empty()) return broken;
  if (auto broken = local_memory_violation(variant, configuration, problem, device); !broken.empty()) return broken;
  return private_memory_violation(variant, configuration, problem, device, launches);
}

}  // namespace tilewright::detail
