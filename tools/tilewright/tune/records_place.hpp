#pragma once

#include "tilewright/device.hpp"

namespace tilewright::tool {

/// Checks that a device's records and journal can be stored, by writing a trial file. Throws std::runtime_error
/// otherwise: no directory, no permission, a full disk, or another object at that path.
void require_records_place(const DeviceProfile& device);

}  // namespace tilewright::tool
