#include "kernels/configuration_check.hpp"

namespace tilewright::detail {
namespace {

std::string launch_limit_violation(const Launch& launch, const DeviceProfile& device) {
  std::size_t items = 1;
  for (std::size_t d = 0; d < launch.local.size(); ++d) {
    items *= launch.local[d];
    if (launch.local[d] > device.max_work_item_sizes[d])
      return "a work-group of " + std::to_string(launch.local[d]) + " work-items along dimension " + std::to_string(d) +
             " is more than the device's " + std::to_string(device.max_work_item_sizes[d]);
  }
  if (items > device.max_work_group_size)
    return "a work-group of " + std::to_string(items) + " work-items is more than the device's " +
           std::to_string(device.max_work_group_size);
  return {};
}

}  // namespace

std::string range_violation(const ParameterList& parameters, const ParameterValues& values) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (values[i] >= 1 && values[i] <= largest_tile) continue;
    const auto& listed = parameters[i].values;
    const std::int64_t least = std::min<std::int64_t>(1, *std::min_element(listed.begin(), listed.end()));
    const std::int64_t most = std::max(largest_tile, *std::max_element(listed.begin(), listed.end()));
    if (values[i] < least || values[i] > most)
      return std::string(parameters[i].name) + " = " + std::to_string(values[i]) + " is not within " +
             std::to_string(least) + " to " + std::to_string(most);
  }
  return {};
}

std::string group_limit_violation(const std::vector<Launch>& launches, const DeviceProfile& device) {
  for (const Launch& launch : launches)
    if (auto broken = launch_limit_violation(launch, device); !broken.empty()) return broken;
  return {};
}

std::string private_memory_violation(std::uint64_t of_item, const Launch& main, const DeviceProfile& device) {
  const bool one_stack = device.type == DeviceType::cpu;
  std::uint64_t items = 1;
  if (one_stack)
    for (const std::size_t along : main.local) items *= along;
  if (of_item <= device.private_memory_bytes / items) return {};
  return "its private arrays take " + std::to_string(of_item) + " bytes per work-item; the device has " +
         std::to_string(device.private_memory_bytes) +
         (one_stack ? " for a work-group of " + std::to_string(items) : std::string());
}

std::string local_memory_violation(std::uint64_t bytes, bool is_static, const DeviceProfile& device) {
  const std::size_t limit =
      is_static ? std::max(device.local_memory_bytes, device.static_local_memory_bytes) : device.local_memory_bytes;
  if (bytes <= limit) return {};
  return "it takes " + std::to_string(bytes) + " bytes of local memory; the device has " + std::to_string(limit);
}

}  // namespace tilewright::detail
