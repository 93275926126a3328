#include "kernels/operands/wanted_triangle.hpp"

#include "kernels/operands/sum_of_quotients.hpp"

namespace tilewright::detail {

bool can_number_tiles(const WantedTriangle& triangle, const TileSize& tile) {
  const std::uint64_t gained = tile.rows * triangle.parts;
  return gained % tile.columns == 0 || tile.columns % gained == 0;
}

std::uint64_t tiles_in_triangle(const WantedTriangle& triangle, std::uint64_t n, const TileSize& tile) {
  if (n == 0) return 0;
  const std::uint64_t gained = tile.rows * triangle.parts;
  const std::uint64_t tile_rows = (n + tile.rows - 1) / tile.rows;
  const std::uint64_t per_row = (n * triangle.parts + tile.columns - 1) / tile.columns;
  // Tile rows of the lower triangle end at the diagonal, except the last one, which is whole. Those of the upper
  // triangle begin there.
  if (triangle.uplo == Uplo::lower)
    return sum_of_quotients(tile_rows - 1, gained, gained + tile.columns - 1, tile.columns) + per_row;
  return tile_rows * per_row - sum_of_quotients(tile_rows, gained, 0, tile.columns);
}

}  // namespace tilewright::detail
