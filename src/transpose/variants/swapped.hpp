// Square matrices in place: variants that swap tiles across the diagonal.
#pragma once

#include "transpose/variant.hpp"

namespace tilewright::detail {

/// Empty if a square matrix is transposed in place; otherwise why a variant that is limited to that declines.
std::string only_squares_in_place(const TransposeProblem& problem, const DeviceProfile& device);

/// The execution of a kernel over the lower triangle of tiles, folded to a rectangle.
Execution over_triangle(const TransposeProblem& problem, std::int64_t tile, std::int64_t wg);

}  // namespace tilewright::detail
