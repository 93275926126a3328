#pragma once

#include <memory>

#include "compare/contender.hpp"
#include "tilewright/device_group.hpp"

namespace tilewright::tool {

/// A product of the workload's matrices in host memory, shared out between devices. `report` gets that of each call.
std::unique_ptr<Contender> make_group_contender(Workload& workload, DeviceGroup group, DeviceGroupOptions options,
                                                DeviceGroupReport& report);

}  // namespace tilewright::tool
