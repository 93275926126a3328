// Speeds that were measured, kept for other processes beside the device's tuning records.
#pragma once

#include <optional>

#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

/// Those of the same device, driver and library; nothing where there are none, or their file is no good.
std::optional<TransferSpeeds> read_speeds(const DeviceProfile& device, DataType type) noexcept;

/// Keeps them beside those of other types. What goes wrong costs the next process a measurement, nothing else.
void keep_speeds(const DeviceProfile& device, DataType type, const TransferSpeeds& speeds) noexcept;

/// They were too low: another process measures them anew. Once, for where the model is wrong and not they, they would
/// be doubted without end.
void doubt_kept_speeds(const DeviceProfile& device, DataType type) noexcept;

}  // namespace tilewright::detail
