#pragma once

#include <cstdint>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::detail {

/// The sizes of elements that can be moved, in bytes.
inline constexpr std::size_t element_sizes[] = {1, 2, 4, 8, 16};

inline constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b};

/// The form that variants see: row-major, with leading dimensions and strides filled in. A column-major matrix is
/// stored like its row-major transpose, so m and n swap. Strides of a batch lower offset_alignment; unused strides are
/// 0. Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, invalid_offset, invalid_batch,
/// overlapping_operands).
TransposeProblem normalized(const TransposeProblem& problem);

// The operands as a normalized problem stores them.
StoredMatrix stored_a(const TransposeProblem& problem);
StoredMatrix stored_b(const TransposeProblem& problem);

inline bool is_batched(const TransposeProblem& problem) { return problem.batch.count != 1; }

/// The problem for the kernels of a device: numbers in which the device cannot compute are elements of_bytes().
TransposeProblem as_moved(TransposeProblem problem, const DeviceProfile& device);

/// Whether there is nothing to move.
inline bool is_empty(const TransposeProblem& problem) {
  return problem.m == 0 || problem.n == 0 || problem.batch.count == 0;
}

/// Whether every element keeps its place, so that only alpha changes it.
bool stays_in_place(const TransposeProblem& problem);

/// The minimum number of bytes that a call reads and writes.
double bytes_moved(const TransposeProblem& problem);

bool needs_64_bit_indices(const TransposeProblem& problem);

/// Whether rows are aligned so that `width` consecutive elements of a tile are an aligned vector.
bool lines_are_vectors(const StoredMatrix& matrix, const TransposeProblem& problem, std::int64_t width);

}  // namespace tilewright::detail
