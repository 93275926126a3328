#include "selection/measurement_files.hpp"

#include "selection/device_identity.hpp"
#include "tilewright/records.hpp"
#include "tilewright/version.hpp"

namespace tilewright::detail {

std::optional<std::filesystem::path> file_of_measurements(const DeviceProfile& device, const std::string& ending) {
  const auto directory = records_directory();
  if (!directory) return std::nullopt;
  return *directory / (file_stem(identity_of(device)) + ending);
}

nlohmann::json heading_of_measurements(const DeviceProfile& device) {
  const DeviceIdentity identity = identity_of(device);
  return {{"platform", identity.platform},
          {"device", identity.device},
          {"driver", device.driver_version},
          {"library", std::string(version)}};
}

}  // namespace tilewright::detail
