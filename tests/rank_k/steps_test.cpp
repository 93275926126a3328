// The division of a triangle: blocks cover it once, and consist of few sizes.
#include "rank_k/steps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tilewright::detail {
namespace {

// How often each element of an n x n matrix is in one of the blocks.
std::vector<int> counts(const std::vector<RankKBlock>& blocks, std::uint64_t n) {
  std::vector<int> all(n * n);
  for (const RankKBlock& block : blocks) {
    REQUIRE(block.row + block.rows <= n);
    REQUIRE(block.column + block.columns <= n);
    for (std::uint64_t i = block.row; i < block.row + block.rows; ++i)
      for (std::uint64_t j = block.column; j < block.column + block.columns; ++j) ++all[i * n + j];
  }
  return all;
}

RankKSystem system_of(const SyrkProblem& problem) {
  DeviceProfile device;
  device.fp64 = true;
  return rank_k_system(problem, device);
}

}  // namespace

TEST_SUITE("rank-k steps") {
  TEST_CASE("blocks cover one triangle once") {
    for (std::uint64_t n = 1; n <= 40; ++n)
      for (const std::uint64_t block : {1U, 3U, 4U, 16U})
        for (const std::uint64_t grid : {2U, 4U, 8U})
          for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
            CAPTURE(n);
            CAPTURE(block);
            CAPTURE(grid);
            const std::vector<int> tiles = counts(diagonal_blocks(n, block), n),
                                   squares = counts(triangle_blocks(n, block, grid, uplo), n);
            bool right = true;
            for (std::uint64_t i = 0; i < n; ++i)
              for (std::uint64_t j = 0; j < n; ++j) {
                const bool on_diagonal = i / block == j / block, is_stored = (uplo == Uplo::lower) == (i > j);
                right = right && tiles[i * n + j] == (on_diagonal ? 1 : 0) &&
                        squares[i * n + j] == (!on_diagonal && is_stored ? 1 : 0);
              }
            CHECK(right);
          }
  }

  TEST_CASE("one product per level of squares, and one for the blocks on the diagonal") {
    const RankKSteps steps = rank_k_steps(system_of({.n = 1024, .k = 9, .ldc = 1030}), 64, 2);
    CHECK(steps.tiles.size() == 1);
    REQUIRE(steps.squares.size() == 1);
    CHECK(steps.squares[0].size() == 4);  // squares of 64, 128, 256 and 512
    const GemmProblem& tiles = steps.products[steps.tiles[0].product].problem;
    CHECK(tiles.batch == Batch{16, 64 * 9, 64 * 9, 64 * 64});
    CHECK(tiles.ldc == 64);
    const GemmProblem& smallest = steps.products[steps.squares[0][0].product].problem;
    CHECK(smallest.batch == Batch{8, 128 * 9, 128 * 9, 128 * 1031});
    CHECK(steps.squares[0][0].places == std::array<std::uint64_t, 3>{64 * 9, 0, 64 * 1030});
    CHECK(smallest.offset_alignment == 16);
  }

  TEST_CASE("a remainder takes one more product per level") {
    const RankKSteps steps = rank_k_steps(system_of({.uplo = Uplo::upper, .n = 250, .k = 9}), 64, 2);
    CHECK(steps.tiles.size() == 2);
    CHECK(steps.squares[0].size() == 3);  // 64 x 64, 64 x 58 and 128 x 122
    for (const RankKProduct& product : steps.products) CHECK_FALSE(product.problem.batch.by_offsets);
  }

  TEST_CASE("the squares of a grid, and the squares of a batch, are one product by offsets") {
    const RankKSteps grid = rank_k_steps(system_of({.n = 512, .k = 9}), 64, 8);
    REQUIRE(grid.squares[0].size() == 1);
    const RankKProduct& all = grid.products[grid.squares[0][0].product];
    CHECK(all.problem.batch == Batch{.count = 28, .by_offsets = true});
    const RankKSteps batch = rank_k_steps(
        system_of({.n = 256, .k = 8, .batch = {.count = 3, .stride_a = 256 * 8, .stride_c = 256 * 256}}), 64, 2);
    REQUIRE(batch.squares[0].size() == 2);
    const RankKProduct& small = batch.products[batch.squares[0][0].product];
    CHECK(small.problem.batch == Batch{.count = 6, .by_offsets = true});
    CHECK(small.offsets[0] == std::vector<std::uint64_t>{512, 1536, 2560, 3584, 4608, 5632});
    CHECK(batch.products[batch.squares[0][1].product].problem.batch == Batch{3, 256 * 8, 256 * 8, 256 * 256});
  }

  TEST_CASE("both terms of a rank-2k update share plans") {
    DeviceProfile device;
    const RankKSystem system = rank_k_system(Syr2kProblem{.n = 256, .k = 8}, device);
    const RankKSteps steps = rank_k_steps(system, 64, 2);
    REQUIRE(steps.squares.size() == 2);
    for (std::size_t x = 0; x < steps.squares[0].size(); ++x)
      CHECK(steps.squares[0][x].product == steps.squares[1][x].product);
  }
}

}  // namespace tilewright::detail
