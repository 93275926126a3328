// The configurations for a product whose result or factor is a triangle.
#pragma once

#include <optional>

#include "gemm/core_product.hpp"
#include "gemm/selector.hpp"

namespace tilewright::detail {

/// Returns those configurations of a selection for a similar whole product that compute `product`, which has a wanted
/// triangle, a range of k or a symmetric factor. A model of the device orders those of an untuned choice for `product`.
/// Returns nothing if no configuration can.
std::optional<GemmSelection> selection_for_part(const GemmSelection& for_whole, const CoreProduct& product,
                                                const DeviceProfile& device);

}  // namespace tilewright::detail
