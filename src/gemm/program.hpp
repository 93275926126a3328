#pragma once

#include "gemm/core_problem.hpp"
#include "kernels/launch_sequence.hpp"

namespace tilewright::detail {

/// What a complete configuration of a variant is compiled from, for a normalized problem on a device: files and -D
/// options, but those that its launches need.
KernelSource gemm_source(const GemmVariant& variant, const Configuration& configuration, const GemmProblem& problem,
                         const DeviceProfile& device);

/// The same with the kernels of what prepares a core problem.
KernelSource gemm_source(const GemmVariant& variant, const Configuration& configuration, const CoreProblem& core,
                         const DeviceProfile& device);

}  // namespace tilewright::detail
