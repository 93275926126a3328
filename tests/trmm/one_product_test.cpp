// Triangular products whose blocks outside the diagonal are one product with a range of k per tile: every form, with
// tiles of every shape. The tests choose register_blocked, which runs on all devices; GPUs take this path with the
// variants of their own, too.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "trmm/chosen_case.hpp"
#include "verification/trmm/trmm_case.hpp"

namespace tilewright::test {
namespace {

using verification::TrmmCase, verification::TrmmData;

Choice tiles_of(std::int64_t tile_m, std::int64_t tile_n, std::int64_t tile_k, std::int64_t vector, std::int64_t band,
                std::int64_t slice_k = 0) {
  return {"register_blocked",
          {{"tile_m", tile_m},
           {"tile_n", tile_n},
           {"tile_k", tile_k},
           {"item_m", 4},
           {"item_n", vector},
           {"vector_m", 1},
           {"vector_n", vector},
           {"vector_k", 1},
           {"swizzle", band},
           {"slice_k", slice_k}}};
}

// Square and oblong tiles, bands, and depths that do and do not divide a block. k is not divided, whatever slice_k is.
const std::array choices{tiles_of(8, 8, 4, 4, 1), tiles_of(4, 16, 16, 4, 8), tiles_of(16, 4, 4, 2, 4),
                         tiles_of(16, 16, 32, 8, 2), tiles_of(8, 8, 8, 4, 1, 32)};

constexpr const char* outside_squares = "one product leaves out the zeros outside squares";

bool has_range(const Explanation& explanation) { return explanation.reason.find(outside_squares) != std::string::npos; }

void check_case(const TrmmCase& test) { check_chosen(test, outside_squares); }

}  // namespace

TEST_SUITE("trmm ranges of k") {
  // Three squares on the diagonal or more, of which the last one may be small. The other triangle of A holds NaN.
  TEST_CASE("every form, with tiles of every shape") {
    constexpr std::uint64_t orders[] = {131, 192, 257, 170, 129};
    // Neither a factor of the number of forms nor of the number of choices.
    const std::size_t apart = test_level() == TestLevel::quick ? 7 : test_level() == TestLevel::full ? 1 : 5;
    std::size_t turn = 0;
    for (const DataType type : trmm_types())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Side side : {Side::left, Side::right})
          for (const Uplo uplo : {Uplo::lower, Uplo::upper})
            for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
              for (const Diag diag : {Diag::non_unit, Diag::unit}) {
                if (turn++ % apart != 0) continue;
                const std::size_t number = turn / apart;
                TrmmCase test{.type = type, .layout = layout, .side = side, .uplo = uplo, .trans = trans, .diag = diag};
                const std::uint64_t order = orders[number % 5], lines = 9 + number % 4 * 8;
                test.m = side == Side::left ? order : lines;
                test.n = side == Side::left ? lines : order;
                test.alpha = number % 3 == 0 ? -1.5 : 2;
                if (is_complex(type) && number % 2 == 0) test.alpha = {0.5, -1};
                test.data = number % 3 == 1 ? TrmmData::nans : TrmmData::integers;
                if (number % 2 == 0) {
                  test.gaps = {number % 4, 1 + number % 3};
                  test.offsets = {3, 1};
                }
                test.count = number % 4 == 3 ? 2 : 1;
                test.shares_a = number % 8 == 3;
                test.products = choices[number % choices.size()];
                check_case(test);
              }
  }

  TEST_CASE("orders around squares") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const DataType type : {DataType::f32, DataType::c64})
          for (const std::uint64_t order : {129U, 130U, 191U, 192U, 193U, 320U}) {
            TrmmCase test{.type = type, .side = side, .uplo = uplo, .data = TrmmData::nans, .products = choices[3]};
            test.m = side == Side::left ? order : 20;
            test.n = side == Side::left ? 20 : order;
            check_case(test);
          }
  }

  TEST_CASE("alpha = 0 writes zeros") {
    for (const Side side : {Side::left, Side::right})
      check_case({.side = side, .m = 140, .n = 140, .alpha = 0, .data = TrmmData::nans, .products = choices[0]});
  }

  TEST_CASE("which products have a range") {
    const auto explanation = [](std::uint64_t order, const Choice& products) {
      return TrmmPlan(shared_engine(), {.m = order, .n = 40}, products).explanation();
    };
    const Explanation large = explanation(300, choices[0]);
    CHECK(has_range(large));
    CHECK(large.parts.size() == 1);
    CHECK_FALSE(has_range(explanation(128, choices[0])));
    CHECK_FALSE(has_range(explanation(300, {"naive", {}})));
    // A tile of two squares.
    CHECK_FALSE(has_range(explanation(300, tiles_of(128, 8, 32, 4, 1))));
    count_cases();
  }
}

}  // namespace tilewright::test
