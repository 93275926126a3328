// Every variant of spmm fulfils the whole contract: any format, transpose, layout, size, structure and scalars, within
// the error bound of each row, with reproducible bits, and without touching memory outside C.
#include <doctest/doctest.h>

#include <string>

#include "support/device_under_test.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/test_seed.hpp"
#include "support/variants_under_test.hpp"
#include "verification/spmm/spmm_cases.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

void check_case(const SpmmCase& test) {
  count_cases();
  std::string wrong;
  try {
    wrong = try_spmm_case(shared_engine(), test, [](const SpmmPlan& plan) {
      count_kernel_of("spmm " + plan.explanation().variant + ' ' + to_string(plan.explanation().configuration) +
                      std::string(to_string(plan.problem().type)));
    });
  } catch (const std::exception& error) {
    wrong = error.what();
  }
  CHECK_MESSAGE(wrong.empty(), wrong, "\n  case: ", to_string(test));
}

}  // namespace

TEST_SUITE("spmm conformance") {
  TEST_CASE("every variant conforms") {
    // The quick level runs a part of the cases, others each day. So does a simulator, which is slow. 11 and 13 are
    // coprime to the numbers of patterns and sizes.
    const bool is_quick = test_level() == TestLevel::quick;
    const std::size_t every = device_under_test().profile.vendor == Vendor::oclgrind ? 13 : is_quick ? 11 : 1;
    const std::size_t shift = is_quick ? test_seed() : 0;
    std::size_t turn = 0;
    for (const VariantInfo& variant : spmm_variants_under_test())
      for (const DataType type : {DataType::f32, DataType::f64}) {
        if (type == DataType::f64 && !device_under_test().profile.fp64) continue;
        for (const SpmmCase& test : spmm_cases(small_choice(variant.name), type, test_level(), turn))
          if ((turn++ + shift) % every == 0) check_case(test);
      }
  }

  TEST_CASE("the chosen variant conforms, whatever the lengths of rows") {
    if (spmm_variants_under_test().size() != spmm_variants().size()) return;
    for (const SparsePattern pattern : {SparsePattern::uniform, SparsePattern::power_law, SparsePattern::one_row})
      for (const std::uint64_t n : {1U, 3U, 10U})
        check_case({.problem = {.m = 30, .n = n, .k = 200}, .pattern = pattern, .alpha = -0.75, .beta = 1});
  }
}

}  // namespace tilewright::test
