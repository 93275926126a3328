// Every variant fulfils the whole contract: B = alpha op(A) for any element, size, layout, leading dimension, offset
// and factor, with exact bits, and without touching other memory.
#include <doctest/doctest.h>

#include <chrono>
#include <iostream>
#include <string>

#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "support/transpose_runner.hpp"
#include "support/variants_under_test.hpp"
#include "verification/checked_operations.hpp"

namespace tilewright::test {
using namespace verification;

TEST_SUITE("transpose conformance") {
  TEST_CASE("one transposition from TILEWRIGHT_TRANSPOSE_CASE") {
    const std::string text = environment("TILEWRIGHT_TRANSPOSE_CASE");
    if (text.empty()) return;
    const std::string wrong = run_transpose_case(parse_transpose_case(text));
    CHECK_MESSAGE(wrong.empty(), wrong);
  }

  TEST_CASE("every variant conforms") {
    if (!environment("TILEWRIGHT_TRANSPOSE_CASE").empty()) return;
    DailyShare share(7);
    for (const VariantInfo& variant : transpose_variants_under_test()) {
      CAPTURE(variant.name);
      const auto start = std::chrono::steady_clock::now();
      for (const CheckPart& part : checked_transpose().parts(device_under_test().profile, variant.name, test_level())) {
        CHECK_FALSE(part.cases.empty());
        for (const std::string& text : part.cases) {
          if (!share.selects_next()) continue;
          const std::string wrong = run_transpose_case(parse_transpose_case(text));
          CHECK_MESSAGE(wrong.empty(), wrong);
        }
      }
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      std::cout << "conformance of " << variant.name << ": " << elapsed.count() << " s" << std::endl;
    }
  }
}

}  // namespace tilewright::test
