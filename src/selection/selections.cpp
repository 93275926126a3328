#include "selection/selections.hpp"

#include "runtime/system/log.hpp"

namespace tilewright::detail {

DeviceProfile without(DeviceProfile device, Ability ability) {
  if (ability == Ability::tensor_cores) device.tensor_cores = false;
  if (ability == Ability::warpgroup_tensor_cores) device.warpgroup_tensor_cores = false;
  if (ability == Ability::fp64_tensor_cores) device.fp64_tensor_cores = false;
  if (ability == Ability::tensor_maps) device.tensor_maps = false;
  return device;
}

void log_problems(const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) log("a tuning record was skipped: " + problem);
}

}  // namespace tilewright::detail
