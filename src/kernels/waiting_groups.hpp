// Whether the work-groups of a launch may wait for each other.
#pragma once

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Whether work-groups of a launch may wait for each other: groups that have started run to their end concurrently, and
/// see each other's writes. False on CPUs, where a thread runs one group after another.
inline bool may_groups_wait(const DeviceProfile& device) {
  return device.type == DeviceType::gpu && device.vendor == Vendor::nvidia;
}

}  // namespace tilewright::detail
