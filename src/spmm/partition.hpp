// Chunks of equal work, counted in rows and stored elements.
#pragma once

#include <cstdint>
#include <vector>

#include "spmm/structure.hpp"

namespace tilewright::detail {

/// The starts of chunks on a walk that visits the elements of each row and then the end of the row. Chunk g contains
/// the ends of rows from row[g] to before row[g + 1], and the elements from element[g] to before element[g + 1]. The
/// last entry is the end of the walk.
struct Partition {
  std::vector<std::uint64_t> row{}, element{};
  /// Pairs of chunks, one pair per row that lies in several chunks: the chunk in which the row starts, and the chunk in
  /// which it ends.
  std::vector<std::uint64_t> divided{};

  void append(std::uint64_t first_row, std::uint64_t first_element) {
    row.push_back(first_row);
    element.push_back(first_element);
  }
  std::size_t divided_rows() const { return divided.size() / 2; }
};

/// Divides the walk into chunks of `steps` steps; the last may have fewer (Merrill and Garland, "Merge-based parallel
/// sparse matrix-vector multiplication", 2016). A chunk that would end within a row of at most steps / 4 elements ends
/// before it, so that fewer rows have partial sums.
Partition even_chunks(const AnyRows& rows, std::uint64_t steps);

/// Divides the walk into chunks of whole rows, of at most `steps` steps. Only longer rows are divided, into chunks of
/// their own.
Partition full_chunks(const AnyRows& rows, std::uint64_t steps);

}  // namespace tilewright::detail
