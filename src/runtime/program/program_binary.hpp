// Conversion of a compiled program to bytes and back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Returns the names of a compiled program's kernels, sorted: "gemm;pack_a;pack_b".
std::string kernel_names(const cl::Program& program);

/// Returns the index of a device's binary in CL_PROGRAM_BINARY_SIZES, for a program built for that device alone.
/// `device` is the device's index among the program's `devices`, or `devices` if the driver does not list it. Throws
/// Error(opencl_failure) if there is no binary, or if the device's binary cannot be identified.
std::size_t place_of_binary(std::size_t device, std::size_t devices, std::span<const std::size_t> sizes);

/// Fetches the binary of a program built for this device alone. Throws Error(opencl_failure) if the driver has none.
std::string fetch_binary(const cl::Program& program, const cl::Device& device);

/// Makes a program from a binary, builds it and creates its kernels once. Some drivers detect an unusable binary only
/// then. Throws if any step fails or the kernels differ from `kernels`.
cl::Program program_from_binary(const cl::Context& context, const cl::Device& device, std::string_view binary,
                                const std::string& options, const std::string& kernels);

}  // namespace tilewright::detail
