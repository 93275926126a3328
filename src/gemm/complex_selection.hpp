// The configurations for a complex product that a variant computes itself.
#pragma once

#include "gemm/core_product.hpp"
#include "gemm/selector.hpp"

namespace tilewright::detail {

/// Returns a selection for the real product that suits every variant as one for the core problem of its best
/// configuration, `product`. Of an untuned choice that computes complex products itself, the configurations are those
/// that the variant prefers for this product.
GemmSelection selection_for_complex(const GemmSelection& for_real, const CoreProduct& product,
                                    const DeviceProfile& device);

}  // namespace tilewright::detail
