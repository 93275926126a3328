// Chunks of equal work: rows and stored elements shared out together.
#pragma once

#include <cstdint>
#include <vector>

#include "spmm/structure.hpp"

namespace tilewright::detail {

/// Where chunks begin, on a walk that takes the elements of each row and then its end: chunk g ends the rows from
/// row[g] to before row[g + 1] and has the elements from element[g] to before element[g + 1]. The last entry is the end
/// of the walk.
struct Partition {
  std::vector<std::uint64_t> row{}, element{};
  /// For each row that lies in several chunks the one that it begins in and the one that it ends in, in turn.
  std::vector<std::uint64_t> divided{};

  void append(std::uint64_t first_row, std::uint64_t first_element) {
    row.push_back(first_row);
    element.push_back(first_element);
  }
  std::size_t divided_rows() const { return divided.size() / 2; }
};

/// Chunks of `steps` steps each, the last may have fewer. (Merrill and Garland, Merge-based parallel sparse
/// matrix-vector multiplication, 2016.) One that would end within a short row, of a fourth of the steps at most, ends
/// before it, so that fewer rows must be put together afterwards.
Partition even_chunks(const AnyRows& rows, std::uint64_t steps);

/// Chunks of at most `steps` steps, as many rows as these hold. Only long rows are divided; theirs are chunks apart.
Partition full_chunks(const AnyRows& rows, std::uint64_t steps);

}  // namespace tilewright::detail
