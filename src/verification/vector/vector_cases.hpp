#pragma once

#include <span>
#include <string>
#include <vector>

#include "tilewright/device.hpp"
#include "verification/vector/vector_case.hpp"

namespace tilewright::verification {

/// Returns why the device cannot run a call in a type; empty if it can.
std::string why_unsupported(VectorCall call, DataType type, const DeviceProfile& device);

/// Returns cases of each supported call: each size once with increments of 1 and once with others. The other fields are
/// drawn, equal in every run.
std::vector<VectorCase> vector_cases(const DeviceProfile& device, DataType type, std::span<const VectorCall> calls,
                                     std::span<const std::uint64_t> sizes);

}  // namespace tilewright::verification
