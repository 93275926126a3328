// Measured speeds, stored next to the device's tuning records for other processes.
#pragma once

#include <optional>

#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

/// Reads the stored speeds for this device, driver and version of the library. Empty if there are none or their file is
/// damaged.
std::optional<TransferSpeeds> read_speeds(const DeviceProfile& device, DataType type) noexcept;

/// Stores speeds in addition to those of other types. If that fails, the next process measures again.
void keep_speeds(const DeviceProfile& device, DataType type, const TransferSpeeds& speeds) noexcept;

/// Removes stored speeds that were too low, so that the next process measures again. Does so only once: if the model is
/// wrong and not the speeds, each measurement would be removed.
void discard_kept_speeds(const DeviceProfile& device, DataType type) noexcept;

}  // namespace tilewright::detail
