// Results in T4, the format that auto-tuners exchange.
#pragma once

#include <string>
#include <vector>

#include "tilewright/device.hpp"
#include "tuning/tuned.hpp"

namespace tilewright::tuning {

/// Returns all trials as a T4 results file (version 1.0.0 of the format of the AutoTuningAssociation). The problem is
/// part of each result's configuration.
std::string to_t4(const std::vector<Tuned>& results, const DeviceProfile& device);

}  // namespace tilewright::tuning
