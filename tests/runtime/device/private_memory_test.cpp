// Private arrays as large as the rules allow: a CPU thread keeps those of a whole work-group on its stack.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gemm/variant.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/gemm_runner.hpp"
#include "support/run_report.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm.hpp"
#include "verification/gemm/configurations.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

void check_largest_private(const VariantInfo& variant, DataType type) {
  const DeviceProfile& device = device_under_test().profile;
  GemmCase test{.variant = variant.name, .configuration = {}, .type = type, .trans_a = Transpose::yes};
  test.m = 67;
  test.n = 35;
  test.k = 129;
  test.beta = 1;
  if (const Support support = gemm_support(device, variant.name, problem_of(test)); !support.supported)
    return count_skip("private memory of " + variant.name + ' ' + std::string(to_string(type)), support.reason);
  test.configuration = largest_private_configuration(device, variant, type);
  REQUIRE_FALSE(test.configuration.empty());
  const std::string wrong = run_gemm_case(test);
  CHECK_MESSAGE(wrong.empty(), wrong);
}

}  // namespace

TEST_SUITE("private memory") {
  TEST_CASE("the largest private arrays within the rules fit") {
    if (device_under_test().profile.type != DeviceType::cpu)
      return count_skip("the largest private arrays", "they are on no stack but a CPU's");
    for (const VariantInfo& variant : variants_under_test()) {
      const auto& types = detail::find_variant<GemmProblem>(variant.name).needs.types;
      check_largest_private(variant, *std::max_element(types.begin(), types.end(), [](DataType left, DataType right) {
                              return detail::accumulator_bytes(left) < detail::accumulator_bytes(right);
                            }));
    }
  }

  TEST_CASE("larger private arrays are refused before anything is compiled") {
    const DeviceProfile& device = device_under_test().profile;
    const GemmProblem problem{.trans_a = Transpose::yes, .m = 64, .n = 64, .k = 2048};
    for (const Choice& choice :
         {Choice{"private_row", {{"wg", 1024}, {"chunk", 2048}}},
          Choice{"packed_panel", {{"item_m", 64}, {"item_n", 4}, {"vector_n", 4}, {"block_k", 1024}, {"pack_a", 0}}}}) {
      CAPTURE(choice.variant);
      if (device.type != DeviceType::cpu || device.max_work_group_size < 1024) {
        count_skip("private memory that a CPU lacks", "the device is no CPU that takes groups so large");
        continue;
      }
      const std::string message = expect_error(ErrorCode::invalid_configuration,
                                               [&] { const GemmPlan plan(shared_engine(), problem, choice); });
      CHECK(message.find("private arrays") != std::string::npos);
    }
  }
}

}  // namespace tilewright::test
