#include "kernels/operands/wanted_triangle.hpp"

#include <algorithm>

#include "kernels/operands/sum_of_quotients.hpp"

namespace tilewright::detail {

bool can_number_tiles(const WantedTriangle& triangle, const TileSize& tile) {
  const std::uint64_t gained = tile.rows * triangle.parts;
  return gained % tile.columns == 0 || tile.columns % gained == 0;
}

std::uint64_t tiles_in_triangle(const WantedTriangle& triangle, std::uint64_t m, std::uint64_t n,
                                const TileSize& tile) {
  if (m == 0 || n == 0) return 0;
  const std::uint64_t gained = tile.rows * triangle.parts;
  const std::uint64_t tile_rows = (m + tile.rows - 1) / tile.rows;
  const std::uint64_t per_row = (n + tile.columns - 1) / tile.columns;
  // Tile rows of the lower triangle end at the diagonal, except those that reach the last column. Those of the upper
  // triangle begin there.
  if (triangle.uplo == Uplo::lower) {
    const std::uint64_t ending = std::min(tile_rows, (per_row - 1) * tile.columns / gained);
    return sum_of_quotients(ending, gained, gained + tile.columns - 1, tile.columns) + (tile_rows - ending) * per_row;
  }
  return tile_rows * per_row - sum_of_quotients(tile_rows, gained, 0, tile.columns);
}

}  // namespace tilewright::detail
