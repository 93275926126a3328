// Order in which devices compute the tiles of a product.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tilewright::detail {

/// Row and column of a tile in the grid of tiles of C.
using TileCell = std::pair<std::uint64_t, std::uint64_t>;

/// Returns all cells of a grid in order. The longer side is cut into one band per device, in proportion to the speeds,
/// and bands follow one another. A band grows from a corner, alternately by a row and a column, so that several tiles
/// use each new slab. In an order along rows, each tile would wait for its own slab.
std::vector<TileCell> growing_order(std::uint64_t rows, std::uint64_t columns, const std::vector<double>& speeds);

/// Returns the rows (or columns) of the widest band.
std::uint64_t widest_band(std::uint64_t lines, const std::vector<double>& speeds);

}  // namespace tilewright::detail
