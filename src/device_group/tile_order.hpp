#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tilewright::detail {

/// Row and column of a tile of C among the others.
using TileCell = std::pair<std::uint64_t, std::uint64_t>;

/// All cells of a grid, those of each device one after another: bands of the longer side after the devices' speeds. A
/// band grows from a corner, a row and a column at a time, so that what is uploaded is used at once by as many tiles as
/// there are: along a row, each tile would wait for a slab of its own.
std::vector<TileCell> growing_order(std::uint64_t rows, std::uint64_t columns, const std::vector<double>& speeds);

/// Rows, or columns, of the widest band.
std::uint64_t widest_band(std::uint64_t lines, const std::vector<double>& speeds);

}  // namespace tilewright::detail
