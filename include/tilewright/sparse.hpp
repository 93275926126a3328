// Sparse matrices: formats, structures, and statistics of their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright {

/// How the positions of the stored elements are given. Elements of a row or column may come in any order, and elements
/// at the same position are summed.
enum class SparseFormat {
  csr,  ///< compressed rows: the start of each row, and the column of each element
  csc,  ///< compressed columns: the start of each column, and the row of each element
  coo,  ///< coordinates: the row and the column of each element, in any order
};

/// Integer type of indices and offsets: signed, of 32 or 64 bits.
enum class IndexType { i32, i64 };

/// Returns "csr", "csc" or "coo"; "unknown" for a value that is no SparseFormat.
[[nodiscard]] TILEWRIGHT_API std::string_view to_string(SparseFormat format);

/// Returns the bytes of one index.
[[nodiscard]] constexpr std::size_t size_of(IndexType type) { return type == IndexType::i32 ? 4 : 8; }

/// How a structure is validated before it is used. Validation costs one pass over indices that are read anyway.
enum class StructureCheck {
  none,       ///< skips validation; an invalid structure then causes out-of-bounds access, on the host as well
  valid,      ///< offsets never decrease and end with the last element, and indices lie within the matrix
  canonical,  ///< as `valid`, and indices increase in each row (csr), column (csc) or row by row (coo): no duplicates
};

/// The positions of the stored elements, in device memory. The offset of each MatrixRef counts indices. Arrays that the
/// format does not use stay empty.
struct SparseStructure {
  /// csr and csc: the elements of row (or column) i are those from offsets[i] to before offsets[i + 1]. One index more
  /// than A has rows (or columns).
  MatrixRef offsets{};
  MatrixRef rows{};     ///< csc and coo: the row of each stored element
  MatrixRef columns{};  ///< csr and coo: the column of each stored element

  StructureCheck check = StructureCheck::valid;  ///< how the structure is validated when a plan reads it
};

/// Statistics of the rows of op(A), by which spmm chooses its kernel.
struct RowStatistics {
  std::uint64_t rows = 0;        ///< rows of op(A)
  std::uint64_t columns = 0;     ///< columns of op(A)
  std::uint64_t nonzeros = 0;    ///< stored elements, whatever their values
  std::uint64_t longest = 0;     ///< stored elements of the longest row
  std::uint64_t empty_rows = 0;  ///< rows without a stored element
  double mean = 0;               ///< mean number of stored elements per row
  double deviation = 0;          ///< standard deviation of that number

  /// Mean distance of the stored elements from the diagonal, in columns. A small spread means that rows of B are reused
  /// soon. The diagonal of a rectangular matrix also runs from corner to corner.
  double spread = 0;

  friend bool operator==(const RowStatistics&, const RowStatistics&) = default;
};

}  // namespace tilewright
