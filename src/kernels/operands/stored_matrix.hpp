// The storage of matrices in buffers, and the checks of a problem that every operation needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "tilewright/error.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// A stored matrix: rows of `columns` elements, `ld` apart.
struct StoredMatrix {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t ld = 0;

  /// Returns the number of elements from the first to after the last; 0 for an empty matrix.
  std::uint64_t extent() const { return rows == 0 || columns == 0 ? 0 : (rows - 1) * ld + columns; }
};

/// Returns "rows x columns" of a stored matrix in the caller's layout.
std::string size_of_caller(const StoredMatrix& matrix, Layout layout);

/// An operand's name in the caller's terms, for messages.
struct OperandLabel {
  const char* name;  ///< "A"
  OperandName operand;
};

/// Returns the leading dimension of a matrix, or the smallest one if `ld` is 0. Throws
/// Error(invalid_leading_dimension).
std::uint64_t completed_ld(const OperandLabel& label, std::uint64_t columns, std::uint64_t ld);

/// Throws Error(size_overflow) if bytes of the matrix are beyond 64-bit offsets; `layout` is the caller's.
void check_extent(const OperandLabel& label, const StoredMatrix& matrix, Layout layout, std::size_t element);

/// Throws Error(size_overflow) if bytes of `count` matrices, `stride` elements apart, are beyond 64-bit offsets.
void check_batch_extent(const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                        std::uint64_t count, std::size_t element);

/// Throws Error(invalid_offset) if the promised alignment of offsets is not a power of two.
void check_offset_alignment(std::uint64_t offset_alignment);

/// Returns the largest power of two that divides every offset or stride whose bits are set in `offsets`, but at most
/// the promised alignment.
std::uint64_t aligned_as_promised(std::uint64_t promised, std::uint64_t offsets);

/// Whether an element's index within one of the matrices, or a size rounded up to whole tiles, can exceed 2^31 - 1.
bool needs_64_bit_indices(std::initializer_list<StoredMatrix> matrices);

/// Whether rows of a matrix can be read in whole, aligned vectors of `width` elements.
bool rows_in_vectors(const StoredMatrix& matrix, std::uint64_t offset_alignment, std::int64_t width);

}  // namespace tilewright::detail
