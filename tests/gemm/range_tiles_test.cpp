// The tiles of products with a range of k, as cl/gemm/k_range.cl numbers them, and the steps of k that each one needs.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <set>
#include <utility>

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
#include "../../cl/gemm/k_range.cl"
static Steps steps_of(index_t i0, index_t j0, index_t k) { return {RANGE_BEGIN(i0, j0), RANGE_DEPTH(i0, j0, k)}; }
#undef K_RANGE
#undef RANGE_BLOCK
#undef RANGE_BEGIN
#undef RANGE_DEPTH
#undef LOCATE_TILE
}  // namespace lower
namespace upper {
#define K_RANGE 2
#include "../../cl/gemm/k_range.cl"
static Steps steps_of(index_t i0, index_t j0, index_t k) { return {RANGE_BEGIN(i0, j0), RANGE_DEPTH(i0, j0, k)}; }
#undef K_RANGE
#undef RANGE_BLOCK
#undef RANGE_BEGIN
#undef RANGE_DEPTH
#undef LOCATE_TILE
}  // namespace upper
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
}

}  // namespace tilewright::test::ranges
