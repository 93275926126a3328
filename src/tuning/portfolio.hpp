#pragma once

#include <vector>

#include "tuning/evaluation.hpp"

namespace tilewright::tuning {

/// What the library would run for a normalized problem without any records.
Trial untuned_trial(const DeviceProfile& device, const GemmProblem& problem);

/// Configurations that were found good somewhere, for a variant on a device: its preferences for CPUs and for GPUs and
/// the shipped records of all devices, as far as they keep the rules. Each once.
std::vector<Configuration> portfolio(const DeviceProfile& device, std::string_view variant, const GemmProblem& problem);

}  // namespace tilewright::tuning
