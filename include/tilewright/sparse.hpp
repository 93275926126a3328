// Sparse matrices: only some elements are stored, and the others are zeros.
#pragma once

#include <cstdint>
#include <string_view>

#include "tilewright/export.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright {

/// How the places of the stored elements are told. None asks for an order of the elements of a row or a column; those
/// that share a place are summed.
enum class SparseFormat {
  csr,  ///< by rows: where each row begins, and the column of each element
  csc,  ///< by columns: where each column begins, and the row of each element
  coo,  ///< the row and the column of each element, in any order
};

/// What indices and offsets are stored as: integers with a sign, of 32 or 64 bits.
enum class IndexType { i32, i64 };

/// "csr", "csc" or "coo".
TILEWRIGHT_API std::string_view to_string(SparseFormat format);

/// Bytes of one index.
constexpr std::size_t size_of(IndexType type) { return type == IndexType::i32 ? 4 : 8; }

/// The places of the stored elements, in device memory; offsets of a MatrixRef count indices. What a format does not
/// name stays empty.
struct SparseStructure {
  /// csr: one more than A has rows, csc: one more than it has columns. The elements of row or column i are those from
  /// offsets[i] to before offsets[i + 1].
  MatrixRef offsets{};
  MatrixRef rows{};     ///< csc, coo: of each stored element
  MatrixRef columns{};  ///< csr, coo: of each stored element
};

/// What is asked of a structure before it is used.
enum class StructureCheck {
  none,       ///< nothing: a wrong one reads and writes wild memory, on the host, too
  valid,      ///< offsets that never decrease and end with the elements, indices within the matrix
  canonical,  ///< also that the indices of each row (csr), column (csc) or row by row (coo) increase: none comes twice
};

/// What is known of the rows of op(A).
struct RowStatistics {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t nonzeros = 0;    ///< stored elements, whatever their values
  std::uint64_t longest = 0;     ///< stored elements of the longest row
  std::uint64_t empty_rows = 0;  ///< rows without a stored element
  double mean = 0;               ///< stored elements of a row
  double deviation = 0;          ///< the standard deviation of that
  /// How far stored elements lie from the diagonal on average, in columns: near it rows of B are read again soon. That
  /// of a matrix that is not square goes from corner to corner, too.
  double spread = 0;

  friend bool operator==(const RowStatistics&, const RowStatistics&) = default;
};

}  // namespace tilewright
