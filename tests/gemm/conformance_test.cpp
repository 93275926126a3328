// Every variant does the whole BLAS contract: C = alpha op(A) op(B) + beta C, for any size, layout, transposes, leading
// dimensions, offsets and scalars, within the error bound, and touches nothing else.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "support/configurations.hpp"
#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/gemm_runner.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "verification/conformance_cases.hpp"

namespace tilewright::test {
using namespace verification;

namespace {

void check_case(const GemmCase& test) {
  const std::string wrong = run_gemm_case(test);
  CHECK_MESSAGE(wrong.empty(), wrong);
}

void check_configuration(const std::string& variant, const Configuration& configuration, const Form& form) {
  for (const GemmCase& test : conformance_cases(variant, configuration, form, test_level())) check_case(test);
}

// A form of each layout, with other transposes at every turn.
std::vector<Form> forms_at(std::size_t turn, const std::vector<Form>& all) {
  const std::size_t half = all.size() / 2;
  return {all[turn % half], all[half + (turn + 1) % half]};
}

// The default and its strategies meet every form, and batches in one; for what else the selector can return, for
// configurations drawn from what the tuner may try, and for the second type of the same source the forms take turns. At
// the quick level that second type is there for its default only.
void check_variant(const GemmVariantInfo& variant, DataType type, bool is_first_type) {
  const DeviceProfile& device = device_under_test().profile;
  const TestLevel level = test_level();
  const auto selectable = selectable_configurations(device, variant, type);
  REQUIRE_FALSE(selectable.empty());
  const std::size_t count = level == TestLevel::quick ? 1 : level == TestLevel::normal ? 3 : 20;
  auto configurations = selectable;
  if (level != TestLevel::quick)
    for (const Configuration& recorded : recorded_configurations(device, variant, type))
      if (std::find(configurations.begin(), configurations.end(), recorded) == configurations.end())
        configurations.push_back(recorded);
  for (const Configuration& drawn :
       drawn_configurations(device, variant, type, count, level == TestLevel::full ? 128 : 16))
    configurations.push_back(drawn);

  if (level == TestLevel::quick && !is_first_type) configurations.resize(1);

  const std::vector<Form> all = forms_of(type);
  for (std::size_t turn = 0; turn < configurations.size(); ++turn) {
    const bool is_default = turn <= variant.strategies.size();
    const bool every_form = level == TestLevel::full || (level == TestLevel::normal && is_default && is_first_type);
    const std::size_t shift = type == DataType::f32 ? turn : turn + 1;
    std::vector<Form> forms = every_form ? all : forms_at(shift, all);
    forms[turn % forms.size()].batches = is_default;
    for (const Form& form : forms) check_configuration(variant.name, configurations[turn], form);
  }
}

}  // namespace

TEST_SUITE("conformance") {
  TEST_CASE("one case from TILEWRIGHT_TEST_CASE") {
    const std::string text = environment("TILEWRIGHT_TEST_CASE");
    if (!text.empty()) check_case(parse_gemm_case(text));
  }

  TEST_CASE("every variant conforms") {
    if (!environment("TILEWRIGHT_TEST_CASE").empty()) return;
    for (const GemmVariantInfo& variant : variants_under_test()) {
      bool is_first_type = true;
      for (const DataType type : {DataType::f32, DataType::f64}) {
        const std::string name = variant.name + " " + std::string(to_string(type));
        const GemmSupport support =
            gemm_support(device_under_test().profile, variant.name, {.type = type, .m = 64, .n = 64, .k = 64});
        if (!support.supported) {
          CHECK_FALSE(support.reason.empty());
          count_skip(name, support.reason);
          continue;
        }
        CAPTURE(name);
        const auto start = std::chrono::steady_clock::now();
        check_variant(variant, type, is_first_type);
        is_first_type = false;
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        std::cout << "conformance of " << name << ": " << elapsed.count() << " s" << std::endl;
      }
    }
  }
}

}  // namespace tilewright::test
