#pragma once

#include <cstdint>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/spmm.hpp"

namespace tilewright::detail {

/// op(A) by rows, with everything filled in. A B or C of one column is row-major. What variants see has a row-major B.
struct SpmmCore {
  DataType type = DataType::f32;
  Layout layout_b = Layout::row_major;
  Layout layout_c = Layout::row_major;
  std::uint64_t n = 0;
  std::uint64_t ldb = 0;
  std::uint64_t ldc = 0;
  Batch batch{};
  RowStatistics a{};
  std::uint64_t chunks = 0;  ///< that the structure was divided into, once it was
  bool permuted = false;     ///< the values are stored in another order than that of the rows

  /// Steps of a walk over all rows: one for each stored element, and one at the end of each row.
  std::uint64_t steps() const { return a.rows + a.nonzeros; }

  friend bool operator==(const SpmmCore&, const SpmmCore&) = default;
};

/// The product before the structure is known: of `a` only rows, columns and nonzeros are.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_structure, size_overflow, overlapping_operands).
SpmmCore core_of(const SpmmProblem& problem);

/// The product with what is known of its rows. Throws Error(invalid_structure) where these are another matrix's, too.
SpmmCore core_of(const SpmmProblem& problem, const RowStatistics& rows);

/// The product with a row-major copy of B.
SpmmCore with_rows_of_b(const SpmmCore& core);

// The operands as a core problem stores them.
StoredMatrix stored_values(const SpmmCore& core);
StoredMatrix stored_b(const SpmmCore& core);
StoredMatrix stored_c(const SpmmCore& core);

inline bool is_batched(const SpmmCore& core) { return core.batch.count != 1; }

/// Whether there is nothing to compute.
inline bool is_empty(const SpmmCore& core) { return core.a.rows == 0 || core.n == 0 || core.batch.count == 0; }

/// Whether an element's index within B or C can pass 2^31 - 1.
bool needs_64_bit_indices(const SpmmCore& core);

/// Whether offsets of rows and indices of columns can.
bool has_64_bit_structure(const SpmmCore& core);

}  // namespace tilewright::detail
