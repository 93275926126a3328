#include "verification/gemm/gemm_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/profiles.hpp"
#include "verification/checked_operations.hpp"
#include "verification/gemm/conformance_cases.hpp"
#include "verification/gemm/tile_edges.hpp"

namespace tilewright::verification {

TEST_SUITE("support") {
  TEST_CASE("a case survives a round trip through its text") {
    GemmCase test;
    test.variant = "local_tile";
    test.configuration = {{"tile_m", 8}, {"padded", 1}};
    test.type = DataType::f64;
    test.layout = Layout::column_major;
    test.trans_b = Transpose::yes;
    test.m = 17;
    test.n = 3;
    test.k = 5;
    test.gaps = {1, 0, 7};
    test.offsets = {16, 0, 3};
    test.offset_alignment = 16;
    test.alpha = -0.7;
    test.beta = 1;
    test.data = DataKind::integers;
    test.specials = true;
    test.memory = Memory::sub_buffer;
    test.products = 3;
    test.by_offsets = true;
    test.shared = {false, true};
    test.seed = 99;
    CHECK(parse_gemm_case(to_string(test)) == test);
    test.type = DataType::bf16;
    test.type_c = DataType::f32;
    CHECK(parse_gemm_case(to_string(test)) == test);
    test.accuracy = Accuracy::tf32;
    CHECK(parse_gemm_case(to_string(test)) == test);
    CHECK_THROWS_AS(parse_gemm_case("accuracy=fair " + to_string(GemmCase{})), std::invalid_argument);
    test.type = DataType::c128;
    test.type_c.reset();
    test.accuracy = Accuracy::full;
    test.trans_a = Transpose::conjugate_transpose;
    test.alpha = {0, -0.5};
    test.beta = {-2, 1};
    CHECK(to_string(test).find("trans=CT") != std::string::npos);
    CHECK(to_string(test).find("alpha=0-0.5i beta=-2+1i") != std::string::npos);
    CHECK(parse_gemm_case(to_string(test)) == test);
  }

  TEST_CASE("a malformed case is refused") {
    CHECK_THROWS_AS(parse_gemm_case("variant=naive"), std::invalid_argument);
    CHECK_THROWS_AS(parse_gemm_case("nonsense"), std::invalid_argument);
  }

  TEST_CASE("stored shapes follow layout and transposes") {
    GemmCase test;
    test.m = 2;
    test.n = 3;
    test.k = 5;
    test.gaps = {1, 0, 0};
    CHECK(shape_of_a(test).lines == 2);
    CHECK(shape_of_a(test).leading == 6);
    CHECK(shape_of_a(test).span() == 11);
    test.trans_a = Transpose::yes;
    CHECK(shape_of_a(test).lines == 5);
    test.layout = Layout::column_major;
    CHECK(shape_of_a(test).lines == 2);
    CHECK(shape_of_c(test).lines == 3);
  }

  // A check takes all cases or every fourth one.
  TEST_CASE("conformance cases of complex types have imaginary parts, however they are dealt out") {
    const std::vector<GemmCase> cases =
        conformance_cases("naive", {{"wg_m", 8}, {"wg_n", 32}}, forms_of(DataType::c64).front(), Breadth::normal);
    for (std::size_t first = 0; first < 4; ++first) {
      CAPTURE(first);
      int alphas = 0, betas = 0;
      for (std::size_t i = first; i < cases.size(); i += 4) {
        alphas += cases[i].alpha.imag() != 0;
        betas += cases[i].beta.imag() != 0;
      }
      CHECK(alphas > 0);
      CHECK(betas > 0);
    }
  }

  TEST_CASE("on Oclgrind large tiles get few steps of k, but more than one depth, and small ones are split along k") {
    DeviceProfile device = test::typical_gpu();
    device.vendor = Vendor::oclgrind;
    device.compute_units = 1;  // so that tiles are large
    for (const char* const variant : {"register_blocked", "dot4_blocked", "group_reduction"}) {
      CAPTURE(variant);
      bool crosses = false, is_split = false;
      for (const CheckPart& part : find_checked_operation("gemm").parts(device, variant, Breadth::quick))
        for (const std::string& text : part.cases) {
          if (!text.starts_with("variant=")) continue;
          CAPTURE(text);
          const GemmCase test = parse_gemm_case(text);
          const TileEdges edges = tile_edges(test.variant, test.configuration);
          const auto least_slice = static_cast<std::uint64_t>(test.configuration["slice_k"]);
          is_split = is_split || (least_slice > 0 && test.k >= 2 * least_slice);
          if (!edges.is_large) continue;
          CHECK(test.k <= std::max<std::uint64_t>(2 * edges.depth, (1 << 19) / edges.tile) + 1);
          crosses = crosses || test.k > edges.depth;
        }
      CHECK(crosses);
      CHECK(is_split);
    }
  }
}

}  // namespace tilewright::verification
