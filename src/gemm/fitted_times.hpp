// Constants of the model of time that were fitted to a device, stored next to its tuning records.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gemm/wave_constants.hpp"

namespace tilewright::detail {

/// Reads the constants for this device, driver and version of the library. Null if there are none or if their file is
/// damaged. The functions of this file work on stored constants even if the environment disables records; only engines
/// then choose without them.
std::shared_ptr<const WaveConstants> stored_fitted_times(const DeviceProfile& device) noexcept;

/// Replaces the stored constants; new engines use them. Returns the file. Throws Error(invalid_records) with the cause.
std::string store_fitted_times(const DeviceProfile& device, const WaveConstants& constants);

/// Renames the file of the constants, so that new engines use those of the library. Returns the new name; nothing if
/// there is no file. Throws Error(invalid_records) if it cannot be renamed.
std::optional<std::filesystem::path> clear_fitted_times(const DeviceProfile& device);

/// Returns the first line of a file of records for other machines: its header with the constants of this device, if it
/// has any. Other readers of records ignore the constants.
std::string header_with_fitted_times(const DeviceProfile& device);

/// Returns the constants in the first line of a file of records. Null if there are none, or if they are of another
/// device, driver or version of the library, which is logged. Throws Error(invalid_records) if they are damaged.
/// `name` is for messages.
std::shared_ptr<const WaveConstants> fitted_times_in(std::string_view text, const std::string& name,
                                                     const DeviceProfile& device);

}  // namespace tilewright::detail
