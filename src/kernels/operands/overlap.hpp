// Whether matrices of one buffer share elements. Exact: interleaved views, such as the left and the right columns of
// one array, do not overlap.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/operands/batch_offsets.hpp"
#include "kernels/operands/stored_matrix.hpp"
#include "kernels/operands/sums_in_window.hpp"

namespace tilewright::detail {

/// Whether two matrices share an element; the beginnings are in elements of the same buffer. Takes logarithmic time.
bool overlap(const StoredMatrix& x, std::uint64_t x_begin, const StoredMatrix& y, std::uint64_t y_begin);

/// Of `count` matrices `stride` apart: the smallest x so that the first and number x after it share elements.
/// Takes polylogarithmic time.
std::optional<std::uint64_t> first_overlap(const StoredMatrix& matrix, std::uint64_t stride, std::uint64_t count);

/// The matrices of an operand in a buffer; `begin` is in elements of the buffer.
struct PlacedMatrices {
  StoredMatrix matrix;
  BatchOffsets places;
  std::uint64_t begin = 0;

  std::uint64_t first() const { return begin + places.first(); }
  std::uint64_t end() const { return begin + places.last() + matrix.extent(); }
};

/// The same matrices in elements of which each of theirs is `parts`.
PlacedMatrices in_parts(const PlacedMatrices& placed, std::uint64_t parts);

/// How far apart two matrices are that share elements, where there are such. Takes n log n time for n matrices.
std::optional<std::uint64_t> overlap_within(const PlacedMatrices& placed);

/// Whether one of `x`, no two of which share elements, shares elements with one of `y`.
/// The time is bounded by n log n for n matrices. The answer is `unknown` where that does not suffice: many matrices by
/// offsets between the rows of many others with another leading dimension, or four strides and leading dimensions that
/// have no common divisor longer than a row and none of which is longer than the shorter ones reach.
Answer overlap(const PlacedMatrices& x, const PlacedMatrices& y);

}  // namespace tilewright::detail
