#pragma once

#include <string>
#include <vector>

#include "tilewright/device.hpp"
#include "tuning/tuned.hpp"

namespace tilewright::tuning {

/// Everything that was tried, as the T4 results file that auto-tuners exchange (version 1.0.0 of the format of the
/// AutoTuningAssociation). The problem is part of each result's configuration.
std::string to_t4(const std::vector<Tuned>& results, const DeviceProfile& device);

}  // namespace tilewright::tuning
