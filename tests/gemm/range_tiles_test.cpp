// The tiles of products with a range of k, as cl/gemm/k_range.cl numbers them, and the steps of k that each one needs.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/run_report.hpp"

// The kernel files are also valid C++ with these names.
namespace tilewright::test::ranges {

using index_t = int;
using std::max;
using std::min;

struct Steps {
  index_t begin, depth;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define INLINE [[maybe_unused]] static inline
#define TRIANGLE 0
#define K_RANGE_OF_ROWS of_rows
#define K_RANGE_BLOCK block
#define K_RANGE_STEPS steps
static int clz(int value) { return std::countl_zero(static_cast<unsigned>(value)); }
static bool of_rows = true;
static index_t block = 1, steps = 1;
#include "../../cl/gemm/tile_order.cl"
namespace lower {
#define K_RANGE 1
#include "range_tiles.inc"
}  // namespace lower
namespace upper {
#define K_RANGE 2
#include "range_tiles.inc"
}  // namespace upper
// A triangular factor, whose groups all run at once on five units.
#define TILE_M tile_rows
#define TILE_N tile_columns
static index_t tile_rows = 1, tile_columns = 1;
namespace lower_triangle {
#define K_RANGE 1
#define RANGE_UNITS 5
#define TRIANGULAR_FACTOR 1
#include "range_tiles.inc"
}  // namespace lower_triangle
namespace upper_triangle {
#define K_RANGE 2
#define RANGE_UNITS 5
#define TRIANGULAR_FACTOR 1
#include "range_tiles.inc"
}  // namespace upper_triangle
#undef TILE_M
#undef TILE_N
#undef TRIANGLE
#undef K_RANGE_OF_ROWS
#undef K_RANGE_BLOCK
#undef K_RANGE_STEPS
#undef INLINE
#pragma GCC diagnostic pop

TEST_SUITE("range tiles") {
  TEST_CASE("work-groups compute each tile once, those with the most steps first") {
    std::mt19937 random(7);
    const auto draw = [&](index_t most) { return std::uniform_int_distribution<index_t>(1, most)(random); };
    for (int round = 0; round < 400; ++round) {
      const index_t m = draw(300), n = draw(300), tile_m = 1 << draw(5), tile_n = 1 << draw(5), band = 1 << draw(3);
      of_rows = round % 2 == 0;
      block = (of_rows ? tile_m : tile_n) << (draw(3) - 1);
      steps = block * draw(2);
      const index_t blocks = ((of_rows ? m : n) + block - 1) / block, k = blocks * steps;
      const index_t tiles = (m + tile_m - 1) / tile_m * ((n + tile_n - 1) / tile_n);
      const index_t across = of_rows ? (n + tile_n - 1) / tile_n : (m + tile_m - 1) / tile_m;
      for (const bool is_upper : {false, true}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(tile_m);
        CAPTURE(tile_n);
        CAPTURE(block);
        CAPTURE(is_upper);
        std::set<std::pair<index_t, index_t>> found;
        index_t shortest = k;
        bool is_right = true;
        for (index_t x = 0; x < tiles; ++x) {
          index_t i0 = -1, j0 = -1;
          (is_upper ? upper::locate_by_range : lower::locate_by_range)(x, m, n, tile_m, tile_n, band, &i0, &j0);
          is_right = is_right && i0 % tile_m == 0 && j0 % tile_n == 0 && i0 >= 0 && i0 < m && j0 >= 0 && j0 < n;
          found.emplace(i0, j0);
          const Steps now = (is_upper ? upper::steps_of : lower::steps_of)(i0, j0, k);
          const index_t number = (of_rows ? i0 : j0) / block;
          is_right = is_right && now.begin == (is_upper ? number * steps : 0);
          is_right = is_right && now.depth == (is_upper ? k - number * steps : (number + 1) * steps);
          // With few tiles per line, bands are of one line.
          if (across < 32) is_right = is_right && now.depth <= shortest;
          shortest = now.depth;
        }
        CHECK(is_right);
        CHECK(static_cast<index_t>(found.size()) == tiles);
      }
    }
    count_cases();
  }

  TEST_CASE("tiles of a triangular factor need the steps up to their own lines, and units have equal work") {
    std::mt19937 random(8);
    const auto draw = [&](index_t most) { return std::uniform_int_distribution<index_t>(1, most)(random); };
    constexpr index_t units = 5;
    int rounds_of_two = 0;
    for (int round = 0; round < 400; ++round) {
      const index_t m = draw(300), n = draw(300), band = 1 << draw(3);
      tile_rows = 1 << draw(5);
      tile_columns = 1 << draw(5);
      of_rows = round % 2 == 0;
      block = (of_rows ? tile_rows : tile_columns) << (draw(3) - 1);
      steps = block * draw(2);
      const index_t line = of_rows ? tile_rows : tile_columns, lines = of_rows ? m : n;
      const index_t k = (lines + block - 1) / block * steps, steps_of_tile = steps / block * line;
      const index_t tiles = (m + tile_rows - 1) / tile_rows * ((n + tile_columns - 1) / tile_columns);
      for (const bool is_upper : {false, true}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(tile_rows);
        CAPTURE(tile_columns);
        CAPTURE(block);
        CAPTURE(is_upper);
        std::set<std::pair<index_t, index_t>> found;
        std::vector<index_t> depths;
        bool is_right = true;
        for (index_t x = 0; x < tiles; ++x) {
          index_t i0 = -1, j0 = -1;
          (is_upper ? upper_triangle::locate_by_range : lower_triangle::locate_by_range)(x, m, n, tile_rows,
                                                                                         tile_columns, band, &i0, &j0);
          is_right = is_right && i0 >= 0 && i0 < m && j0 >= 0 && j0 < n;
          found.emplace(i0, j0);
          const Steps now = (is_upper ? upper_triangle::steps_of : lower_triangle::steps_of)(i0, j0, k);
          const index_t number = (of_rows ? i0 : j0) / line;
          is_right = is_right && now.begin == (is_upper ? number * steps_of_tile : 0);
          is_right = is_right &&
                     now.depth == (is_upper ? k - number * steps_of_tile : std::min(k, (number + 1) * steps_of_tile));
          depths.push_back(now.depth);
        }
        CHECK(is_right);
        CHECK(static_cast<index_t>(found.size()) == tiles);
        // Each unit gets one tile of each round. In the order of their length, sums would differ as much as two tiles.
        if (tiles != 2 * units) continue;
        ++rounds_of_two;
        const auto [least, most] = std::ranges::minmax(depths);
        index_t smallest = 2 * k, largest = 0;
        for (index_t unit = 0; unit < units; ++unit) {
          const index_t sum = depths[static_cast<std::size_t>(unit)] + depths[static_cast<std::size_t>(unit + units)];
          smallest = std::min(smallest, sum);
          largest = std::max(largest, sum);
        }
        CHECK(largest - smallest <= std::max(steps_of_tile, (most - least) / 2));
      }
    }
    CHECK(rounds_of_two > 3);
    count_cases();
  }
}

}  // namespace tilewright::test::ranges
