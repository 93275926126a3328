#pragma once

#include <cstdint>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::detail {

/// Bytes of the elements that can be moved.
inline constexpr std::size_t element_sizes[] = {1, 2, 4, 8, 16};

inline constexpr OperandLabel label_a{"A", OperandName::a}, label_b{"B", OperandName::b};

/// The form that variants see: row-major, leading dimensions and strides filled in. A column-major matrix lies in
/// memory as the row-major one of its transpose does, so m and n change places. Strides lower the alignment that is
/// promised for offsets; those that are not used are 0.
/// Throws Error(unsupported_type, invalid_leading_dimension, size_overflow, invalid_offset, invalid_batch,
/// overlapping_operands).
TransposeProblem normalized(const TransposeProblem& problem);

// The operands as a normalized problem stores them.
StoredMatrix stored_a(const TransposeProblem& problem);
StoredMatrix stored_b(const TransposeProblem& problem);

inline bool is_batched(const TransposeProblem& problem) { return problem.batch.count != 1; }

/// The problem as the kernels of a device take it: numbers that the device cannot compute with are only moved.
TransposeProblem as_moved(TransposeProblem problem, const DeviceProfile& device);

/// Whether there is nothing to move.
inline bool is_empty(const TransposeProblem& problem) {
  return problem.m == 0 || problem.n == 0 || problem.batch.count == 0;
}

/// Whether every element stays where it is, so that only alpha changes it.
bool stays_in_place(const TransposeProblem& problem);

/// Bytes that a call reads and writes at least.
double bytes_moved(const TransposeProblem& problem);

bool needs_64_bit_indices(const TransposeProblem& problem);

/// Whether lines of `width` elements from a tile's first element on are whole vectors of memory.
bool lines_are_vectors(const StoredMatrix& matrix, const TransposeProblem& problem, std::int64_t width);

}  // namespace tilewright::detail
