// Facts of register_blocked for the choice of variants.
#pragma once

#include "kernels/parameters.hpp"

namespace tilewright::detail::gemm_variants {

/// Whether a configuration of register_blocked splits k.
bool register_blocked_splits_k(const ParameterValues& values);

}  // namespace tilewright::detail::gemm_variants
