#include "gemm/configuration_check.hpp"

#include <algorithm>
#include <string_view>

#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

std::string broken_pass_limit(const Pass& pass, const DeviceProfile& device) {
  std::size_t items = 1;
  for (std::size_t d = 0; d < pass.local.size(); ++d) {
    items *= pass.local[d];
    if (pass.local[d] > device.max_work_item_sizes[d])
      return "a work-group of " + std::to_string(pass.local[d]) + " work-items along dimension " + std::to_string(d) +
             " is more than the device's " + std::to_string(device.max_work_item_sizes[d]);
  }
  if (items > device.max_work_group_size)
    return "a work-group of " + std::to_string(items) + " work-items is more than the device's " +
           std::to_string(device.max_work_group_size);
  return {};
}

}  // namespace

void check_parameter_names(const GemmVariant& variant, const Configuration& configuration) {
  for (const auto& [name, value] : configuration) {
    const auto same = [&name = name](const GemmParameter& parameter) { return parameter.name == name; };
    if (std::any_of(variant.parameters.begin(), variant.parameters.end(), same)) continue;
    std::string names;
    for (const auto& parameter : variant.parameters) names += (names.empty() ? "" : ", ") + parameter.name;
    throw Error(ErrorCode::unknown_parameter,
                std::string("variant '") + variant.name + "' has no parameter '" + name + "'; it has: " + names);
  }
}

std::string broken_range(const GemmVariant& variant, const Configuration& configuration) {
  for (const auto& parameter : variant.parameters) {
    const std::int64_t value = configuration[parameter.name];
    const std::int64_t least =
        std::min<std::int64_t>(1, *std::min_element(parameter.values.begin(), parameter.values.end()));
    const std::int64_t most =
        std::max(largest_tile, *std::max_element(parameter.values.begin(), parameter.values.end()));
    if (value < least || value > most)
      return parameter.name + " = " + std::to_string(value) + " is not within " + std::to_string(least) + " to " +
             std::to_string(most);
  }
  return {};
}

std::string broken_group_limit(const GemmVariant& variant, const Configuration& configuration,
                               const GemmProblem& problem, const DeviceProfile& device) {
  for (const Pass& pass : launches(variant, configuration, problem, device))
    if (auto broken = broken_pass_limit(pass, device); !broken.empty()) return broken;
  return {};
}

std::string broken_private_memory_limit(const GemmVariant& variant, const Configuration& configuration,
                                        const GemmProblem& problem, const DeviceProfile& device) {
  const std::uint64_t of_item = variant.private_bytes(configuration, problem, device);
  if (of_item == 0) return {};
  const bool one_stack = device.type == DeviceType::cpu;
  std::uint64_t items = 1;
  if (one_stack)
    for (const Pass& pass : variant.passes(configuration, problem, device))
      if (std::string_view(pass.kernel) == "gemm")
        for (const std::size_t along : pass.local) items *= along;
  if (of_item <= device.private_memory_bytes / items) return {};
  return "its private arrays take " + std::to_string(of_item) + " bytes for each work-item" +
         (one_stack ? ", and the device has " + std::to_string(device.private_memory_bytes) + " for a work-group of " +
                          std::to_string(items)
                    : ", and the device has " + std::to_string(device.private_memory_bytes));
}

std::string broken_local_memory_limit(const GemmVariant& variant, const Configuration& configuration,
                                      const GemmProblem& problem, const DeviceProfile& device) {
  const std::uint64_t local_bytes = variant.local_bytes(configuration, problem);
  const std::size_t limit = variant.static_local_memory
                                ? std::max(device.local_memory_bytes, device.static_local_memory_bytes)
                                : device.local_memory_bytes;
  if (local_bytes > limit)
    return "it takes " + std::to_string(local_bytes) + " bytes of local memory, and the device has " +
           std::to_string(limit);
  return {};
}

std::string broken_rule(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                        const DeviceProfile& device) {
  if (auto broken = broken_range(variant, configuration); !broken.empty()) return broken;
  for (const auto& constraint : variant.constraints)
    if (!constraint.holds(configuration, problem, device))
      return std::string("'") + constraint.rule + "' does not hold: " + constraint.reason;
  if (auto broken = broken_group_limit(variant, configuration, problem, device); !broken.empty()) return broken;
  if (auto broken = broken_local_memory_limit(variant, configuration, problem, device); !broken.empty()) return broken;
  return broken_private_memory_limit(variant, configuration, problem, device);
}

}  // namespace tilewright::detail
