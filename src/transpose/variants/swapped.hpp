// Square matrices in place: tiles that change places across the diagonal.
#pragma once

#include "transpose/variant.hpp"

namespace tilewright::detail {

/// Empty where a square matrix is transposed in place, else why a variant that does only that cannot.
std::string only_squares_in_place(const TransposeProblem& problem, const DeviceProfile& device);

/// The launch over the lower triangle of tiles, folded to a rectangle.
std::vector<Launch> launch_over_triangle(const TransposeProblem& problem, std::int64_t tile, std::int64_t wg);

}  // namespace tilewright::detail
