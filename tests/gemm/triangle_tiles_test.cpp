// The tiles that touch a triangle, as cl/gemm/tile_order.cl numbers them, and as the host counts them.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "kernels/operands/wanted_triangle.hpp"
#include "support/run_report.hpp"

// The kernel file is also valid C++ with these names.
namespace tilewright::test {
namespace {

using index_t = int;
using std::max;
using std::min;
int clz(int value) { return std::countl_zero(static_cast<unsigned>(value)); }
index_t parts = 1;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define INLINE [[maybe_unused]] static inline
#define TRIANGLE_PARTS parts
namespace lower {
#define TRIANGLE 1
#include "../../cl/gemm/tile_order.cl"
#undef TRIANGLE
#undef GAINED
}  // namespace lower
namespace upper {
#define TRIANGLE 2
#include "../../cl/gemm/tile_order.cl"
#undef TRIANGLE
#undef GAINED
}  // namespace upper
#undef TRIANGLE_PARTS
#undef INLINE
#pragma GCC diagnostic pop

using detail::TileSize;

// A triangle of order n, with more lines below the lower one or on the right of the upper one.
struct Trapezoid {
  Uplo uplo;
  index_t n, more;

  index_t rows() const { return n + (uplo == Uplo::lower ? more : 0); }
  index_t columns() const { return n + (uplo == Uplo::upper ? more : 0); }
};

std::uint64_t tiles_in(const Trapezoid& c, index_t tile_m, index_t tile_n) {
  return detail::tiles_in_triangle({.uplo = c.uplo, .parts = static_cast<std::uint64_t>(parts)},
                                   static_cast<std::uint64_t>(c.rows()),
                                   static_cast<std::uint64_t>(c.columns() * parts),
                                   {static_cast<std::uint64_t>(tile_m), static_cast<std::uint64_t>(tile_n)});
}

using Tiles = std::vector<std::pair<index_t, index_t>>;

// Returns the first row and column of each tile with an element of the triangle, in their order.
Tiles touching(const Trapezoid& c, index_t tile_m, index_t tile_n) {
  const index_t across = (c.columns() * parts + tile_n - 1) / tile_n, down = (c.rows() + tile_m - 1) / tile_m;
  std::vector<char> touched(static_cast<std::size_t>(down * across), 0);
  for (index_t i = 0; i < c.rows(); ++i) {
    char* const row = touched.data() + i / tile_m * across;
    const index_t end = c.uplo == Uplo::lower ? min(i + 1, c.n) : c.columns();
    for (index_t j = c.uplo == Uplo::lower ? 0 : i; j < end; ++j)
      for (index_t part = 0; part < parts; ++part) row[(j * parts + part) / tile_n] = 1;
  }
  Tiles tiles;
  for (index_t i = 0; i < down; ++i)
    for (index_t j = 0; j < across; ++j)
      if (touched[static_cast<std::size_t>(i * across + j)] != 0) tiles.emplace_back(i * tile_m, j * tile_n);
  return tiles;
}

}  // namespace

TEST_SUITE("triangle tiles") {
  TEST_CASE("the host counts each tile that touches the triangle, of any shape") {
    for (parts = 1; parts <= 2; ++parts)
      for (index_t n = 0; n <= 40; ++n)
        for (const index_t tile_m : {1, 2, 3, 4, 6, 8, 64})
          for (const index_t tile_n : {1, 2, 3, 4, 5, 8, 16, 64})
            for (const Uplo uplo : {Uplo::lower, Uplo::upper})
              for (const index_t more : {0, 1, 7, 50}) {
                CAPTURE(n);
                CAPTURE(more);
                CAPTURE(tile_m);
                CAPTURE(tile_n);
                CAPTURE(parts);
                const Trapezoid c{uplo, n, n == 0 ? 0 : more};
                CHECK(tiles_in(c, tile_m, tile_n) == touching(c, tile_m, tile_n).size());
              }
    count_cases();
  }

  TEST_CASE("work-groups compute each of these tiles once, and no others") {
    std::mt19937 random(7);
    const auto draw = [&](index_t most) { return std::uniform_int_distribution<index_t>(1, most)(random); };
    for (int round = 0; round < 600; ++round) {
      parts = draw(2);
      const index_t n = draw(round % 3 == 0 ? 400 : 60), band = 1 << (draw(5) - 1);
      const index_t more = round % 2 == 0 ? 0 : draw(round % 5 == 0 ? 400 : 60);
      const index_t tile_m = 1 << draw(6), tile_n = 1 << draw(6);
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        CAPTURE(n);
        CAPTURE(tile_m);
        CAPTURE(tile_n);
        CAPTURE(band);
        CAPTURE(parts);
        CAPTURE(more);
        const Trapezoid c{uplo, n, more};
        const TileSize tile{static_cast<std::uint64_t>(tile_m), static_cast<std::uint64_t>(tile_n)};
        REQUIRE(detail::can_number_tiles({.uplo = uplo, .parts = static_cast<std::uint64_t>(parts)}, tile));
        const std::uint64_t count = tiles_in(c, tile_m, tile_n);
        Tiles found;
        for (std::uint64_t x = 0; x < count; ++x) {
          index_t i0 = -1, j0 = -1;
          (uplo == Uplo::lower ? lower::locate_tile : upper::locate_tile)(
              static_cast<index_t>(x), c.rows(), c.columns() * parts, tile_m, tile_n, band, &i0, &j0);
          found.emplace_back(i0, j0);
        }
        std::sort(found.begin(), found.end());
        CHECK(found == touching(c, tile_m, tile_n));
      }
    }
    count_cases();
  }

  TEST_CASE("a band of tile rows is numbered down its common columns, then along the rest of each row") {
    parts = 1;
    constexpr std::pair<index_t, index_t> order[] = {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 0},
                                                     {2, 1}, {3, 1}, {2, 2}, {3, 2}, {3, 3}};
    for (index_t x = 0; x < 10; ++x) {
      index_t i0 = -1, j0 = -1;
      lower::locate_tile(x, 31, 31, 8, 8, 2, &i0, &j0);
      CHECK(std::pair(i0 / 8, j0 / 8) == order[x]);
    }
  }
}

}  // namespace tilewright::test
