#pragma once

#include "tilewright/device.hpp"

namespace tilewright::tool {

/// Throws std::runtime_error where records and a journal of a device could not be stored, found out by trying: no
/// directory, or one that cannot be written, a full disk, something else in a file's place.
void require_records_place(const DeviceProfile& device);

}  // namespace tilewright::tool
