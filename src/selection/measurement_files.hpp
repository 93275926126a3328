// Files of what was measured on a device, next to its tuning records.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "selection/json.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Returns the path of such a file; nothing if there is no directory for records.
std::optional<std::filesystem::path> file_of_measurements(const DeviceProfile& device, const std::string& ending);

/// Returns the device, driver and version of the library to which stored measurements apply.
nlohmann::json heading_of_measurements(const DeviceProfile& device);

}  // namespace tilewright::detail
