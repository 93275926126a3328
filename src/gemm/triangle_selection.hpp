// The product for which the variant of one with a wanted triangle is selected.
#pragma once

#include "gemm/core_product.hpp"

namespace tilewright::detail {

/// Returns a product whose whole C has about as many tiles as touch the triangle: for one of an n x n matrix n / 2
/// rows, and a few more than n columns. Its variant suits the triangle, too.
GemmProblem rectangle_like(const CoreProduct& product);

}  // namespace tilewright::detail
