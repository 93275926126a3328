#pragma once

#include <cstdint>
#include <string>

#include "runtime/device/opencl.hpp"

namespace tilewright::verification {

/// Describes the difference between a compiled kernel's local memory and `expected`, the bytes per work-group that its
/// variant declares. Empty if they agree or the driver does not report local memory.
std::string local_memory_difference(const cl::Kernel& kernel, const cl::Device& device, std::uint64_t expected);

}  // namespace tilewright::verification
