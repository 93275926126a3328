#pragma once

#include <cstdint>
#include <string>

#include "runtime/device/opencl.hpp"

namespace tilewright::verification {

/// What is wrong with the local memory that a compiled kernel takes, where its variant says that a work-group takes
/// `expected` bytes; empty where nothing is, or where the driver does not tell.
std::string local_memory_difference(const cl::Kernel& kernel, const cl::Device& device, std::uint64_t expected);

}  // namespace tilewright::verification
