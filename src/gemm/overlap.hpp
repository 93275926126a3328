#pragma once

#include <cstdint>

#include "gemm/problem.hpp"

namespace tilewright::detail {

/// Whether two matrices of one buffer share an element; the beginnings are in elements of the same buffer.
/// Exact: interleaved views, such as the left and the right columns of one array, do not overlap.
bool overlap(const StoredMatrix& x, std::uint64_t x_begin, const StoredMatrix& y, std::uint64_t y_begin);

}  // namespace tilewright::detail
