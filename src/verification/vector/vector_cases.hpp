#pragma once

#include <span>
#include <string>
#include <vector>

#include "tilewright/device.hpp"
#include "verification/vector/vector_case.hpp"

namespace tilewright::verification {

/// Why a call cannot be done in a type on a device; empty where it can.
std::string why_unsupported(VectorCall call, DataType type, const DeviceProfile& device);

/// Of each call that the device can do, each size once with increments of 1, and once with others; what else there is
/// is drawn, the same in every run.
std::vector<VectorCase> vector_cases(const DeviceProfile& device, DataType type, std::span<const VectorCall> calls,
                                     std::span<const std::uint64_t> sizes);

}  // namespace tilewright::verification
