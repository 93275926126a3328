// Rank-k updates by products of the tiles or blocks that touch the triangle: every form, with tiles of every shape. The
// tests choose register_blocked and packed_panel, which run on all devices; GPUs have variants of their own, too.
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "rank_k/rank_k_forms.hpp"
#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/rank_k.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

Choice tiles_of(std::int64_t tile_m, std::int64_t tile_n, std::int64_t vector, std::int64_t band,
                std::int64_t slice_k = 0) {
  return {"register_blocked",
          {{"tile_m", tile_m},
           {"tile_n", tile_n},
           {"tile_k", 4},
           {"item_m", 4},
           {"item_n", vector},
           {"vector_m", 1},
           {"vector_n", vector},
           {"vector_k", 1},
           {"swizzle", band},
           {"slice_k", slice_k}}};
}

// Panels of item_m rows and item_n columns, in groups of at most group_m x group_n. Blocks of k have 4 steps. `pack` is
// pack_b, and pack_a if it is 1.
Choice panels_of(std::int64_t item_m, std::int64_t item_n, std::int64_t vector, std::int64_t group_m,
                 std::int64_t group_n, std::int64_t pack, std::int64_t slice_k = 1024) {
  return {"packed_panel",
          {{"item_m", item_m},
           {"item_n", item_n},
           {"vector_n", vector},
           {"block_k", 4},
           {"group_m", group_m},
           {"group_n", group_n},
           {"slice_k", slice_k},
           {"unroll", 2},
           {"pack_a", pack == 1 ? 1 : 0},
           {"pack_b", pack}}};
}

// Square tiles, oblong ones along either side, vectors that cross the diagonal, bands of several tile rows, and slices
// of k; the same for panels, with blocks that begin before the last columns of an unpacked B.
const std::array choices{tiles_of(4, 4, 1, 1),           tiles_of(8, 8, 4, 2),
                         tiles_of(4, 16, 4, 8),          tiles_of(16, 4, 2, 4),
                         tiles_of(8, 8, 8, 1),           tiles_of(8, 16, 4, 1, 4),
                         tiles_of(16, 8, 8, 2),          panels_of(4, 4, 4, 8, 8, 1),
                         panels_of(6, 16, 8, 12, 16, 0), panels_of(4, 16, 8, 12, 32, 2),
                         panels_of(2, 8, 2, 16, 8, 1),   panels_of(12, 4, 4, 12, 64, 0),
                         panels_of(1, 16, 4, 5, 32, 1),  panels_of(6, 8, 8, 96, 64, 0, 4)};

}  // namespace

TEST_SUITE("rank-k tiles") {
  TEST_CASE("every form, with tiles of every shape") {
    // Neither a factor of the number of forms nor of the number of choices.
    const std::size_t apart = test_level() == TestLevel::quick ? 17 : 1;
    std::size_t turn = 0;
    for (const auto& [call, name] : rank_k_functions)
      for (const DataType type : rank_k_types()) {
        RankKCase test{.call = call, .type = type, .n = 37, .k = 11, .alpha = 2, .beta = -0.5};
        for_all_forms(test, [&](RankKCase form) {
          if (turn++ % apart != 0) return;
          form.products = choices[turn / apart % choices.size()];
          form.count = turn % 5 == 0 ? 3 : 1;
          form.gaps = turn % 2 == 0 ? std::array<std::uint64_t, 3>{1, 0, 3} : std::array<std::uint64_t, 3>{};
          form.offsets = turn % 2 == 0 ? std::array<std::uint64_t, 3>{3, 1, 5} : std::array<std::uint64_t, 3>{};
          check_case(form);
        });
      }
  }

  TEST_CASE("sizes around tiles") {
    // The sizes of one choice share its program. At the quick level, each triangle has one of the types.
    std::size_t turn = 0;
    for (const Choice& products : choices)
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        const bool is_real = turn % 4 == 0 || turn % 4 == 3;
        ++turn;
        for (const DataType type : {DataType::f32, DataType::c64}) {
          if (test_level() == TestLevel::quick && is_real != (type == DataType::f32)) continue;
          for (const std::uint64_t n : {1U, 3U, 4U, 8U, 15U, 16U, 17U, 32U, 64U, 65U})
            check_case({.type = type, .uplo = uplo, .n = n, .k = 9, .beta = 2, .products = products});
        }
      }
  }

  TEST_CASE("complex scalars, and beta 0 or 1") {
    for (const auto& [call, name] : rank_k_functions)
      for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian})
        for (const std::complex<double> beta : {std::complex<double>(0), {1}, {-2, 0.25}}) {
          const bool is_hermitian = symmetry == Symmetry::hermitian;
          if (is_hermitian && (call == RankKFunction::gemmt || beta.imag() != 0)) continue;
          RankKCase test{.call = call, .type = DataType::c64, .symmetry = symmetry, .n = 40, .k = 7, .beta = beta};
          test.alpha = {1.5, is_hermitian && call == RankKFunction::syrk ? 0.0 : -0.5};
          test.products = choices[1];
          for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
            test.uplo = uplo;
            check_case(test);
          }
        }
  }

  TEST_CASE("no workspace, and one product per term") {
    const SyrkPlan syrk(shared_engine(), {.n = 300, .k = 20}, choices[1]);
    CHECK(syrk.workspace_bytes() == 0);
    CHECK(syrk.explanation().reason == "products of the tiles that touch the triangle");
    CHECK(syrk.explanation().parts.size() == 1);
    // A variant that does not locate tiles in this order computes blocks.
    const SyrkPlan blocks(shared_engine(), {.n = 300, .k = 20}, {"naive", {}});
    CHECK(blocks.workspace_bytes() > 0);
    count_cases();
  }
}

}  // namespace tilewright::test
