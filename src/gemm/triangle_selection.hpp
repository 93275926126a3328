// The variant and the configuration for a product of which one triangle is wanted.
#pragma once

#include <optional>

#include "gemm/core_product.hpp"
#include "gemm/selector.hpp"

namespace tilewright::detail {

/// Returns a product whose whole C has about as many tiles as touch the triangle: for one of an n x n matrix n / 2
/// rows, and a few more than n columns. Its variant suits the triangle, too.
GemmProblem rectangle_like(const CoreProduct& product);

/// Returns the selection for a product with a triangle, from the one for rectangle_like(). A model of the device orders
/// the configurations of an untuned choice by the true number of tiles. Returns nothing if no
/// configuration can skip tiles.
std::optional<GemmSelection> selection_for_triangle(const GemmSelection& for_rectangle, const CoreProduct& product,
                                                    const DeviceProfile& device);

}  // namespace tilewright::detail
