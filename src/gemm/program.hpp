#pragma once

#include "gemm/core_problem.hpp"
#include "kernels/launch_sequence.hpp"

namespace tilewright::detail {

/// The sources and -D options of a configuration of a variant, for a normalized problem on a device. Options
/// of individual launches are not included.
KernelSource gemm_source(const GemmVariant& variant, const ParameterValues& values, const CoreProduct& problem,
                         const DeviceProfile& device);

/// Also includes the kernels of a core problem's preparations.
KernelSource gemm_source(const GemmVariant& variant, const ParameterValues& values, const CoreProblem& core,
                         const DeviceProfile& device);

}  // namespace tilewright::detail
