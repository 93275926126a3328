// Blocks of a grid of tiles, and the order of their cells.
#include "device_group/tile_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace tilewright::test {
namespace {

using detail::blocks_of_grid;
using detail::CellBlock;
using detail::growing_order;
using detail::LineBytes;
using detail::TileCell;

std::vector<double> equal_speeds(std::size_t devices) { return std::vector<double>(devices, 1.0); }

double bytes_of(const std::vector<CellBlock>& blocks) {
  double sum = 0;
  for (const CellBlock& block : blocks) sum += LineBytes{}.of(block);
  return sum;
}

}  // namespace

TEST_SUITE("tile order") {
  TEST_CASE("blocks cover each cell once, whatever the grid and the speeds are") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::uint64_t rows : {1U, 4U, 7U, 40U})
      for (const std::uint64_t columns : {1U, 5U, 7U, 39U})
        for (const std::vector<double>& speeds : {equal_speeds(1),
                                                  equal_speeds(2),
                                                  {1, 3, 2},
                                                  {0, 1, nan, 1e300, -1},
                                                  {0, 0},
                                                  {5e-324, 1e308, 1},
                                                  equal_speeds(64)})
          for (const LineBytes& bytes : {LineBytes{1, 1}, {1e9, 1}, {0, 0}}) {
            const std::vector<CellBlock> blocks = blocks_of_grid(rows, columns, speeds, bytes);
            REQUIRE(blocks.size() == speeds.size());
            std::vector<TileCell> cells = growing_order(blocks);
            REQUIRE(cells.size() == rows * columns);
            std::sort(cells.begin(), cells.end());
            CHECK(std::unique(cells.begin(), cells.end()) == cells.end());
            CHECK(cells.back() == TileCell{rows - 1, columns - 1});
          }
  }

  TEST_CASE("a device without a speed has no cells if another has one") {
    const std::vector<CellBlock> blocks = blocks_of_grid(6, 6, {0, 1, -1, 1}, {});
    CHECK(blocks[0].cells() == 0);
    CHECK(blocks[1].cells() == 18);
    CHECK(blocks[2].cells() == 0);
    CHECK(blocks[3].cells() == 18);
  }

  TEST_CASE("several equal devices read less than with a band for each") {
    CHECK(blocks_of_grid(16, 16, equal_speeds(4), {}) ==
          std::vector<CellBlock>{{0, 8, 0, 8}, {8, 8, 0, 8}, {0, 8, 8, 8}, {8, 8, 8, 8}});
    CHECK(bytes_of(blocks_of_grid(16, 16, equal_speeds(2), {})) == 2 * (8 + 16));
    CHECK(bytes_of(blocks_of_grid(16, 16, equal_speeds(4), {})) == 4 * (8 + 8));    // bands: 4 * (4 + 16)
    CHECK(bytes_of(blocks_of_grid(16, 16, equal_speeds(8), {})) == 8 * (8 + 4));    // bands: 8 * (2 + 16)
    CHECK(bytes_of(blocks_of_grid(32, 32, equal_speeds(64), {})) == 64 * (4 + 4));  // bands: 32 + 64 * 32 at least
  }

  TEST_CASE("long rows of A, or many rows of C, are divided into bands") {
    for (const CellBlock& block : blocks_of_grid(16, 16, equal_speeds(4), {100, 1})) CHECK(block.rows == 4);
    for (const CellBlock& block : blocks_of_grid(64, 2, equal_speeds(4), {})) CHECK(block.columns == 2);
  }

  TEST_CASE("blocks are in proportion to the speeds") {
    const std::vector<double> speeds{4, 1, 2, 1, 4, 4};
    const std::vector<CellBlock> blocks = blocks_of_grid(64, 64, speeds, {});
    for (std::size_t i = 0; i < speeds.size(); ++i)
      CHECK(static_cast<double>(blocks[i].cells()) == doctest::Approx(speeds[i] / 16 * 64 * 64).epsilon(.1));
  }

  TEST_CASE("a block grows from a corner, so that the first tiles need few new rows and columns") {
    using Cells = std::vector<TileCell>;
    CHECK(growing_order({{0, 2, 0, 2}, {2, 2, 0, 2}}) ==
          Cells{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}});
    CHECK(growing_order({{1, 1, 2, 3}, {}, {0, 2, 5, 1}}) == Cells{{1, 2}, {1, 3}, {1, 4}, {0, 5}, {1, 5}});
  }
}

}  // namespace tilewright::test
