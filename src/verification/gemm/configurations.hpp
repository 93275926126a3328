#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/choice.hpp"
#include "tilewright/configuration.hpp"
#include "tilewright/device.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::verification {

/// Returns all configurations that the selector can return for a variant on a device of this kind, without duplicates:
/// the preferences for CPUs and GPUs that the device can run, each also with every strategy.
std::vector<Configuration> selectable_configurations(const DeviceProfile& device, const VariantInfo& variant,
                                                     DataType type, Accuracy accuracy = Accuracy::full);

/// Returns a variant's configurations in the shipped records that the device can run, without duplicates.
std::vector<Configuration> recorded_configurations(const DeviceProfile& device, const VariantInfo& variant,
                                                   DataType type, Accuracy accuracy = Accuracy::full);

/// Returns up to `count` valid configurations with values of at most `largest`, drawn from the tuner's space. Each is
/// chosen to show the most parameter values that the earlier ones lack.
std::vector<Configuration> drawn_configurations(const DeviceProfile& device, const VariantInfo& variant, DataType type,
                                                std::size_t count, std::int64_t largest,
                                                Accuracy accuracy = Accuracy::full);

/// Returns a valid configuration with large private arrays: the largest of 2000 random ones, with parameters changed
/// one at a time as long as that enlarges the arrays. Sizes are per work-item, on CPUs per work-group. A is transposed,
/// because more variants then copy it to private memory.
Configuration largest_private_configuration(const DeviceProfile& device, const VariantInfo& variant, DataType type);

}  // namespace tilewright::verification
