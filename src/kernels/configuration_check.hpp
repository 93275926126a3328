// Whether a configuration keeps the rules of its variant and those of every variant.
#pragma once

#include <algorithm>
#include <string>

#include "kernels/variant.hpp"

namespace tilewright::detail {

// The rules of every variant. Each function returns what is broken; empty if nothing is.
std::string range_violation(const ParameterList& parameters, const ParameterValues& values);
std::string group_limit_violation(const std::vector<Launch>& launches, const DeviceProfile& device);
/// `of_item`: private bytes of a work-item of the launch `main`.
std::string private_memory_violation(std::uint64_t of_item, const Launch& main, const DeviceProfile& device);
/// `is_static`: the kernel's local memory is static; some devices have more of it.
std::string local_memory_violation(std::uint64_t bytes, bool is_static, const DeviceProfile& device);

template <class Problem>
std::string private_memory_violation(const Variant<Problem>& variant, const ParameterValues& values,
                                     const VariantProblem<Problem>& problem, const DeviceProfile& device,
                                     const std::vector<Launch>& launches) {
  const std::uint64_t of_item = variant.memory.private_bytes(values, problem, device);
  if (of_item == 0) return {};
  for (const Launch& launch : launches)
    if (launch.kernel == Operation<Problem>::name) return private_memory_violation(of_item, launch, device);
  return {};
}

template <class Problem>
std::string private_memory_violation(const Variant<Problem>& variant, const ParameterValues& values,
                                     const VariantProblem<Problem>& problem, const DeviceProfile& device) {
  return private_memory_violation(variant, values, problem, device,
                                  variant.execution(values, problem, device).launches);
}

template <class Problem>
std::string local_memory_violation(const Variant<Problem>& variant, const ParameterValues& values,
                                   const VariantProblem<Problem>& problem, const DeviceProfile& device) {
  return local_memory_violation(variant.memory.local_bytes(values, problem), variant.memory.static_local_memory,
                                device);
}

/// Returns the first rule that values break, with its reason; empty if they keep all rules. `execution` becomes the
/// execution of values that keep the rules.
template <class Problem>
std::string violation(const Variant<Problem>& variant, const ParameterValues& values,
                      const VariantProblem<Problem>& problem, const DeviceProfile& device, Execution& execution) {
  if (auto broken = range_violation(variant.parameters, values); !broken.empty()) return broken;
  for (const auto& constraint : variant.constraints)
    if (!constraint.holds(values, problem, device))
      return std::string("'") + constraint.rule + "' does not hold: " + constraint.reason;
  execution = variant.execution(values, problem, device);
  if (auto broken = group_limit_violation(execution.launches, device); !broken.empty()) return broken;
  if (auto broken = local_memory_violation(variant, values, problem, device); !broken.empty()) return broken;
  return private_memory_violation(variant, values, problem, device, execution.launches);
}

template <class Problem>
std::string violation(const Variant<Problem>& variant, const ParameterValues& values,
                      const VariantProblem<Problem>& problem, const DeviceProfile& device) {
  Execution execution;
  return violation(variant, values, problem, device, execution);
}

}  // namespace tilewright::detail
