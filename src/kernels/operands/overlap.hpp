// Whether matrices of one buffer share elements.
// The answer is exact: interleaved views, such as the left and the right columns of one array, do not overlap.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/operands/batch_offsets.hpp"
#include "kernels/operands/stored_matrix.hpp"
#include "kernels/operands/sums_in_window.hpp"

namespace tilewright::detail {

/// Whether two matrices share an element; their beginnings are in elements of the same buffer. Takes logarithmic time.
bool overlap(const StoredMatrix& x, std::uint64_t x_begin, const StoredMatrix& y, std::uint64_t y_begin);

/// Returns the smallest x so that the first of `count` matrices, `stride` apart, shares elements with number x after
/// it. Takes polylogarithmic time.
std::optional<std::uint64_t> first_overlap(const StoredMatrix& matrix, std::uint64_t stride, std::uint64_t count);

/// Throws Error(overlapping_operands) if two of `count` written matrices, `stride` apart, share elements.
void check_batch_apart(const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                       std::uint64_t count);

/// The matrices of an operand in a buffer; `begin` is in elements of the buffer.
struct PlacedMatrices {
  StoredMatrix matrix;
  BatchOffsets places;
  std::uint64_t begin = 0;

  std::uint64_t first() const { return begin + places.first(); }
  std::uint64_t end() const { return begin + places.last() + matrix.extent(); }
};

/// Returns the same matrices in smaller elements, `parts` of which make up one element.
PlacedMatrices in_parts(const PlacedMatrices& placed, std::uint64_t parts);

/// Returns the distance between two matrices that share elements, if there are any. Takes n log n time for n matrices.
std::optional<std::uint64_t> overlap_within(const PlacedMatrices& placed);

/// Whether one of the matrices `x`, no two of which overlap, shares elements with one of `y`. The time is bounded by n
/// log n for n matrices. The answer is `unknown` if that does not suffice, in two cases:
/// - Many matrices by offsets lie between the rows of many others with another leading dimension.
/// - Four strides and leading dimensions have no common divisor longer than a row, and none of them exceeds the reach
///   of the shorter ones.
Answer overlap(const PlacedMatrices& x, const PlacedMatrices& y);

}  // namespace tilewright::detail
