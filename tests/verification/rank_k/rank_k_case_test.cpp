// Cases of rank-k updates: their texts.
#include "verification/rank_k/rank_k_case.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace tilewright::verification {

TEST_SUITE("rank-k cases") {
  TEST_CASE("a case survives a round trip through its text") {
    RankKCase test{.call = RankKFunction::syr2k,
                   .type = DataType::c128,
                   .layout = Layout::column_major,
                   .uplo = Uplo::upper,
                   .symmetry = Symmetry::hermitian,
                   .trans_a = Transpose::conjugate_transpose,
                   .n = 7,
                   .k = 9,
                   .alpha = {1.5, -0.25},
                   .beta = -3};
    test.gaps = {1, 0, 7};
    test.offsets = {16, 0, 3};
    test.count = 3;
    test.shares_a = true;
    test.data = DataKind::integers;
    test.memory = Memory::page_end;
    test.products = {"local_tile", {{"tile_m", 8}}};
    test.seed = 99;
    CHECK(parse_rank_k_case(to_string(test)) == test);
    RankKCase product{.call = RankKFunction::gemmt};
    product.trans_b = Transpose::yes;
    CHECK(parse_rank_k_case(to_string(product)) == product);
  }

  TEST_CASE("a text that does not fit is refused, with the reason") {
    const auto refused = [](RankKCase test, const std::string& reason) {
      try {
        parse_rank_k_case(to_string(test));
        FAIL_CHECK("not refused: ", reason);
      } catch (const std::invalid_argument& error) {
        CHECK_MESSAGE(std::string(error.what()).find(reason) != std::string::npos, error.what());
      }
    };
    refused({.type = DataType::i8}, "the type is i8; expected f16, bf16, f32, f64, c64 or c128");
    refused({.count = 0}, "batch is 0");
    refused({.trans_b = Transpose::yes}, "only gemmt has a transpose of B");
    refused({.call = RankKFunction::gemmt, .symmetry = Symmetry::hermitian}, "gemmt has no symmetry");
  }
}

}  // namespace tilewright::verification
