// Conversion of a compiled program to bytes and back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Returns the names of a compiled program's kernels, sorted: "gemm;pack_a;pack_b". NVIDIA's driver names none if the
/// program was built for another device than the context's first; `binary`, which is PTX there, names them instead.
std::string kernel_names(const cl::Program& program, std::string_view binary);

/// Returns the index of a device's binary in CL_PROGRAM_BINARY_SIZES, for a program built for that device alone.
/// `device` is the device's index among the program's `devices`, or `devices` if the driver does not list it. Throws
/// Error(opencl_failure) if there is no binary, or if the device's binary cannot be identified.
std::size_t place_of_binary(std::size_t device, std::size_t devices, std::span<const std::size_t> sizes);

/// Fetches the binary of a program built for this device alone. Throws Error(opencl_failure) if the driver has none.
std::string fetch_binary(const cl::Program& program, const cl::Device& device);

/// Makes a program from a binary, builds it and creates the kernels named in `kernels` once. Some drivers detect an
/// unusable binary only then. Throws if any step fails.
cl::Program program_from_binary(const cl::Context& context, const cl::Device& device, std::string_view binary,
                                const std::string& options, const std::string& kernels);

}  // namespace tilewright::detail
