#pragma once

#include "gemm/variant.hpp"
#include "tuning/space.hpp"

namespace tilewright::tuning {

/// The configurations of a variant that keep its constraints and the device's limits, for a normalized problem.
/// The variant must outlive it, as the library's own do.
Space gemm_space(const detail::GemmVariant& variant, const GemmProblem& problem, const DeviceProfile& device);

}  // namespace tilewright::tuning
