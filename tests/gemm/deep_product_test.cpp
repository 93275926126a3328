// Products with many blocks of k: the sum must not be rounded to C's type after each block.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/device_under_test.hpp"
#include "support/gemm_runner.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm_choice.hpp"
#include "verification/gemm/tile_edges.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

// k has at least four blocks, and m is large enough that no variant slices k to keep the device busy.
GemmCase deep_case(const VariantInfo& variant, DataType type, Transpose trans_a) {
  const DeviceProfile& device = device_under_test().profile;
  GemmCase test{.variant = variant.name, .configuration = {}, .type = type};
  test.trans_a = trans_a;
  test.m = 14 * device.compute_units;
  test.n = 8;
  test.data = DataKind::faint;
  test.beta = 1;
  test.k = 4097;
  if (!gemm_support(device, variant.name, problem_of(test)).supported) return test;
  const TileEdges edges =
      tile_edges(variant.name, explain_gemm(device, problem_of(test), {variant.name, {}}).configuration);
  if (!edges.deep.empty()) test.k = std::max(test.k, 4 * edges.deep.back() + 1);
  return test;
}

}  // namespace

TEST_SUITE("deep products") {
  TEST_CASE("terms that are small compared with beta C are summed before they are added to C") {
    for (const VariantInfo& variant : third_of_variants(0))
      for (const DataType type : {DataType::f32, DataType::f64, DataType::bf16}) {
        if (test_level() == TestLevel::quick && type == DataType::f64) continue;
        const GemmCase test = deep_case(variant, type, type == DataType::f64 ? Transpose::yes : Transpose::no);
        const Support support = gemm_support(device_under_test().profile, variant.name, problem_of(test));
        if (!support.supported) {
          count_skip("deep products of " + variant.name + ' ' + std::string(to_string(type)), support.reason);
          continue;
        }
        const std::string wrong = run_gemm_case(test);
        CHECK_MESSAGE(wrong.empty(), wrong);
      }
  }

  // CPUs divide k here although C has enough tiles: otherwise each tile would read an entire operand that exceeds the
  // cache.
  TEST_CASE("a small C with large k, several tiles and partial tiles on all edges") {
    for (const Transpose trans : {Transpose::no, Transpose::yes}) {
      GemmCase test{.variant = "packed_panel", .configuration = {}, .m = 103, .n = 269, .k = 3001};
      test.trans_a = test.trans_b = trans;
      test.beta = 1;
      const std::string wrong = run_gemm_case(test);
      CHECK_MESSAGE(wrong.empty(), wrong);
    }
  }
}

}  // namespace tilewright::test
