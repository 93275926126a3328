// A compiled program to bytes and back.
#pragma once

#include <string>
#include <string_view>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// The names of a compiled program's kernels, sorted: "gemm;pack_a;pack_b".
std::string kernel_names(const cl::Program& program);

/// The binary of a program that was compiled for the device. Throws where the driver has none.
std::string fetch_binary(const cl::Program& program, const cl::Device& device);

/// Makes a program of a binary, builds it and creates its kernels once, which is where some drivers find out that a
/// binary is of no use. Throws where any of that fails or the kernels are not those.
cl::Program program_from_binary(const cl::Context& context, const cl::Device& device, std::string_view binary,
                                const std::string& options, const std::string& kernels);

}  // namespace tilewright::detail
