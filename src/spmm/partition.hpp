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
  std::vector<std::uint64_t> divided{};  ///< for each row that lies in several chunks the one that it begins in
};

/// Chunks of `steps` steps each, the last may have fewer. (Merrill and Garland, Merge-based parallel sparse
/// matrix-vector multiplication, 2016.) Where `whole_rows` is set, a chunk that would end within a short row ends
/// before it, so that fewer rows must be put together afterwards.
Partition partition(const AnyRows& rows, std::uint64_t steps, bool whole_rows);

}  // namespace tilewright::detail
