// Facts of packed_panel for the choice of variants.
#pragma once

#include "gemm/problem.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail::gemm_variants {

/// Returns the columns of a panel of B that packed_panel prefers.
std::int64_t preferred_panel_columns(const GemmProblem& problem, const DeviceProfile& device);

}  // namespace tilewright::detail::gemm_variants
