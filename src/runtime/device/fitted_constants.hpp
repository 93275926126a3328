// Constants of the model of time in a device's profile.
#pragma once

#include <memory>

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Returns the constants of the model of time that were fitted to a device; null if there are none, or if the
/// environment disables records. Defined by gemm, which has the model.
std::shared_ptr<const WaveConstants> fitted_times(const DeviceProfile& device);

}  // namespace tilewright::detail
