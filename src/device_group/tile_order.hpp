// Order in which devices compute the tiles of a product.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tilewright::detail {

/// Row and column of a tile in the grid of tiles of C.
using TileCell = std::pair<std::uint64_t, std::uint64_t>;

/// A rectangle of cells.
struct CellBlock {
  std::uint64_t row = 0, rows = 0;        ///< first row, and their number
  std::uint64_t column = 0, columns = 0;  ///< first column, and their number

  std::uint64_t cells() const { return rows * columns; }

  friend bool operator==(const CellBlock&, const CellBlock&) = default;
};

/// Bytes of A that each row of cells needs, and bytes of B that each column needs.
struct LineBytes {
  double row = 1, column = 1;

  /// Returns the bytes of A and B that a block needs.
  double of(const CellBlock& block) const;
};

/// Cuts a grid into one block per device, in proportion to the speeds. A device whose speed is not positive and finite
/// gets an empty block; if no speed is, all count as equal. Blocks lie in stacks side by side. The number of stacks is
/// chosen so that the blocks match the speeds well and all devices together read few bytes: 4 equal devices get the
/// quarters of a square.
std::vector<CellBlock> blocks_of_grid(std::uint64_t rows, std::uint64_t columns, const std::vector<double>& speeds,
                                      const LineBytes& bytes);

/// Returns the cells of all blocks, block after block. A block grows from a corner, alternately by a column and a row,
/// so that several tiles use each new slab. In an order along rows, each tile would wait for its own slab.
std::vector<TileCell> growing_order(const std::vector<CellBlock>& blocks);

}  // namespace tilewright::detail
