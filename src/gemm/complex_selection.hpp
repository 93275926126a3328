// The selection for a complex product that a variant can compute itself.
#pragma once

#include "gemm/core_product.hpp"
#include "gemm/selector.hpp"

namespace tilewright::detail {

/// Returns the selection for a normalized problem, given the one for its core problem. Only an untuned choice for a
/// complex problem changes: on CPUs to packed_panel, if that is faster because it expands no operand, and to the
/// configurations that the variant prefers for operands as they are stored.
GemmSelection selection_for_complex(const GemmSelection& for_real, const GemmProblem& problem,
                                    const DeviceProfile& device);

}  // namespace tilewright::detail
