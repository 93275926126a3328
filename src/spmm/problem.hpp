#pragma once

#include <cstdint>
#include <string>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/spmm.hpp"

namespace tilewright::detail {

/// A product with op(A) by rows and all defaults filled in. A B or C of one column is row-major. Variants see problems
/// with a row-major B, see with_rows_of_b().
struct SpmmCore {
  DataType type = DataType::f32;
  Layout layout_b = Layout::row_major;
  Layout layout_c = Layout::row_major;
  std::uint64_t n = 0;
  std::uint64_t ldb = 0;
  std::uint64_t ldc = 0;
  Batch batch{};
  RowStatistics a{};
  std::uint64_t chunks = 0;  ///< chunks of the structure; 0 before it is divided
  bool permuted = false;     ///< whether the values are not stored in the order of the rows

  /// Steps of a walk over all rows: one per stored element, and one at the end of each row.
  std::uint64_t steps() const { return a.rows + a.nonzeros; }

  friend bool operator==(const SpmmCore&, const SpmmCore&) = default;
};

/// Explanation::problem: "spmm f32 1000x32x2000 with 16000 nonzeros", where sizes are m, n and k.
std::string problem_text(const SpmmProblem& problem);

/// The product before the structure is known: of `a` only rows, columns and nonzeros are filled in.
/// Throws Error(unsupported_type, invalid_leading_dimension, invalid_structure, size_overflow, overlapping_operands).
SpmmCore core_of(const SpmmProblem& problem);

/// The product with the statistics of its rows. Also throws Error(invalid_structure) if they are those of another
/// matrix.
SpmmCore core_of(const SpmmProblem& problem, const RowStatistics& rows);

/// The product with a row-major copy of B.
SpmmCore with_rows_of_b(const SpmmCore& core);

// The operands as stored by a core problem.
StoredMatrix stored_values(const SpmmCore& core);
StoredMatrix stored_b(const SpmmCore& core);
StoredMatrix stored_c(const SpmmCore& core);

inline bool is_batched(const SpmmCore& core) { return core.batch.count != 1; }

/// Whether there is nothing to compute.
inline bool is_empty(const SpmmCore& core) { return core.a.rows == 0 || core.n == 0 || core.batch.count == 0; }

/// Whether an element's index within B or C can pass 2^31 - 1.
bool needs_64_bit_indices(const SpmmCore& core);

/// Whether the offsets of rows and the indices of columns need 64 bits.
bool has_64_bit_structure(const SpmmCore& core);

}  // namespace tilewright::detail
