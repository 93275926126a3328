#pragma once

#include <memory>

#include "compare/contender.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::tool {

/// Multiplies the workload's matrices in host memory on a group of devices. Each call overwrites `report`.
std::unique_ptr<Contender> make_group_contender(Workload& workload, DeviceGroup group, DeviceGroupOptions options,
                                                DeviceGroupReport& report);

}  // namespace tilewright::tool
