// Constants of the model of time that were fitted to a device, stored next to its tuning records.
#pragma once

#include <memory>
#include <string>

#include "gemm/wave_constants.hpp"

namespace tilewright::detail {

/// Reads the constants for this device, driver and version of the library. Null if there are none, if their file is
/// damaged, or if the environment disables records.
std::shared_ptr<const WaveConstants> read_fitted_times(const DeviceProfile& device) noexcept;

/// Replaces the stored constants; new engines use them. Returns the file. Throws Error(invalid_records) with the cause.
std::string store_fitted_times(const DeviceProfile& device, const WaveConstants& constants);

}  // namespace tilewright::detail
