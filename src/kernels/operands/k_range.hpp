// The steps of k that each line of a product needs, if one factor is triangular or block triangular.
#pragma once

#include <cstdint>

#include "kernels/operands/wanted_triangle.hpp"

namespace tilewright::detail {

/// Lines are rows of a row-major C if A is block triangular, columns if B is. Block x of lines sums over the steps of k
/// up to the end of block x of k, or from its begin on. The other steps are not read. The factor can also be
/// triangular: then no product with a zero outside the triangle reaches a sum. With blocks of one line, the product may
/// also replace the other factor if that is B.
struct KRange {
  bool of_rows = true;           ///< lines are rows of C
  bool is_upper = false;         ///< false: steps of k before the end of the block; true: from its begin on
  std::uint64_t block = 1;       ///< lines per block
  std::uint64_t k_per_line = 1;  ///< a block of k has this many steps per line of a block
  bool is_triangle = false;      ///< the factor is triangular
  bool is_unit = false;          ///< the triangle's diagonal counts as ones, and is not read
  std::uint64_t parts = 1;       ///< 2: lines or steps count reals of complex elements

  std::uint64_t steps() const { return block * k_per_line; }  ///< steps of k per block

  friend bool operator==(const KRange&, const KRange&) = default;
};

/// Whether the lines of each tile of C belong to one block.
inline bool fits_in_blocks(const KRange& range, const TileSize& tile) {
  return range.block % (range.of_rows ? tile.rows : tile.columns) == 0;
}

/// Returns the steps of k that a line needs on average, of all `k` steps.
inline std::uint64_t mean_depth(const KRange& range, std::uint64_t k) {
  return k < range.steps() ? k : (k + range.steps()) / 2;
}

}  // namespace tilewright::detail
