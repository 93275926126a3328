#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/gemm.hpp"

namespace tilewright::verification {

/// Every configuration that the selector can return for a variant on a device of this kind, each once: the preferences
/// for CPUs and for GPUs as far as the device can run them, and the same with every strategy.
std::vector<Configuration> selectable_configurations(const DeviceProfile& device, const VariantInfo& variant,
                                                     DataType type, Accuracy accuracy = Accuracy::full);

/// The configurations of a variant in the shipped records, as far as the device can run them. Each once.
std::vector<Configuration> recorded_configurations(const DeviceProfile& device, const VariantInfo& variant,
                                                   DataType type, Accuracy accuracy = Accuracy::full);

/// Up to `count` valid configurations with values of at most `largest`, drawn from what the tuner may try. Those are
/// taken first that show most values of parameters which the ones before did not have.
std::vector<Configuration> drawn_configurations(const DeviceProfile& device, const VariantInfo& variant, DataType type,
                                                std::size_t count, std::int64_t largest,
                                                Accuracy accuracy = Accuracy::full);

/// Of the valid configurations among thousands of random ones, that whose private arrays take most: in a work-item, or
/// on a CPU in a work-group. For a transposed A, which more variants copy to private memory.
Configuration hungriest_configuration(const DeviceProfile& device, const VariantInfo& variant, DataType type);

}  // namespace tilewright::verification
