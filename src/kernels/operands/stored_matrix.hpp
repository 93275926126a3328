// How matrices lie in their buffers, and the checks of a problem that every operation has.
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

  /// Elements from the first to after the last; 0 for an empty matrix.
  std::uint64_t extent() const { return rows == 0 || columns == 0 ? 0 : (rows - 1) * ld + columns; }
};

/// "rows x columns" of a stored matrix as the caller counts them.
std::string size_of_caller(const StoredMatrix& matrix, Layout layout);

/// An operand as the caller calls it, for messages.
struct OperandLabel {
  const char* name;  ///< "A"
  OperandName operand;
};

/// The leading dimension of a matrix, filled in where it is 0. Throws Error(invalid_leading_dimension).
std::uint64_t completed_ld(const OperandLabel& label, std::uint64_t columns, std::uint64_t ld);

/// Throws Error(size_overflow) where bytes of the matrix are past what 64-bit offsets can address; `layout` is the
/// caller's.
void check_extent(const OperandLabel& label, const StoredMatrix& matrix, Layout layout, std::size_t element);

/// The same for `count` matrices `stride` elements apart.
void check_batch_extent(const OperandLabel& label, const StoredMatrix& matrix, std::uint64_t stride,
                        std::uint64_t count, std::size_t element);

/// Throws Error(invalid_offset) where a promise for offsets is no power of two.
void check_offset_alignment(std::uint64_t offset_alignment);

/// The largest power of two that divides every offset or stride whose bits are set in `offsets`, but no more than what
/// was promised.
std::uint64_t aligned_as_promised(std::uint64_t promised, std::uint64_t offsets);

/// Whether an element's index within one of the matrices, or a size rounded up to whole tiles, can pass 2^31 - 1.
bool needs_64_bit_indices(std::initializer_list<StoredMatrix> matrices);

/// Whether rows of a matrix can be read in vectors of `width` elements: all of them whole and aligned.
bool rows_in_vectors(const StoredMatrix& matrix, std::uint64_t offset_alignment, std::int64_t width);

}  // namespace tilewright::detail
