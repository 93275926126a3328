// Corner cases of the BLAS contract: empty sizes, unread matrices, non-finite scalars.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/gemm_runner.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "support/test_level.hpp"
#include "support/variants_under_test.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Every variant that the device supports: its default and, above the quick level, its strategies.
std::vector<Choice> every_choice(const GemmProblem& problem) {
  std::vector<Choice> choices;
  for (const VariantInfo& variant : third_of_variants(1)) {
    if (!gemm_support(shared_engine().profile(), variant.name, problem).supported) continue;
    choices.push_back({variant.name, {}});
    if (test_level() == TestLevel::quick) continue;
    for (const Configuration& strategy : variant.strategies) choices.push_back({variant.name, strategy});
  }
  return choices;
}

GemmCase some_case(const Choice& choice) {
  return {.variant = choice.variant,
          .configuration = choice.configuration,
          .m = 17,
          .n = 9,
          .k = 5,
          .gaps = {1, 2, 3},
          .data = verification::DataKind::integers};
}

void check_case(const GemmCase& test) {
  const std::string wrong = run_gemm_case(test);
  CHECK_MESSAGE(wrong.empty(), wrong);
}

}  // namespace

TEST_SUITE("special cases") {
  TEST_CASE("with m = 0 or n = 0 nothing is computed, but an event is returned") {
    for (const Choice& choice : every_choice({.m = 4, .n = 4, .k = 4})) {
      CAPTURE(choice.variant);
      for (const bool no_rows : {true, false}) {
        SmallProduct product;
        (no_rows ? product.problem.m : product.problem.n) = 0;
        cl::UserEvent gate(product.context);
        const cl_event wait = gate();
        const Event event = product.run({&wait, 1}, choice);
        REQUIRE(event.get() != nullptr);
        gate.setStatus(CL_COMPLETE);
        event.wait();
        CHECK(product.read(product.c) == product.before());
        count_cases();
      }
    }
    SmallProduct product;
    product.problem.m = product.problem.n = product.problem.k = 0;
    product.operands = {1, {}, {}, 0, {}};
    CHECK_NOTHROW(product.run().wait());
  }

  TEST_CASE("with k = 0 or alpha = 0 C is scaled, and A and B may be null") {
    for (const Choice& choice : every_choice({.m = 4, .n = 4, .k = 4}))
      for (const double beta : {0.0, 1.0, -2.0})
        for (const bool no_terms : {true, false}) {
          CAPTURE(choice.variant);
          CAPTURE(beta);
          SmallProduct product;
          if (no_terms) {
            product.problem.k = 0;
          } else {
            product.operands.alpha = 0;
          }
          product.operands.a = product.operands.b = {};
          product.operands.beta = beta;
          product.run({}, choice).wait();
          count_kernel(GemmPlan(product.engine, product.problem, choice));
          count_cases();
          std::vector<float> expected = product.before();
          for (float& value : expected) value = beta == 0 ? 0 : static_cast<float>(beta) * value;
          CHECK(product.read(product.c) == expected);
        }
  }

  TEST_CASE("with k = 0 or alpha = 0, and beta = 1, C is not accessed") {
    for (const Choice& choice : every_choice({.m = 4, .n = 4, .k = 4}))
      for (const bool no_terms : {true, false})
        for (const double beta : {1.0, 1.0 + 1e-12}) {  // both round to 1 as a float
          CAPTURE(choice.variant);
          SmallProduct product;
          const std::vector<float> zeros(35, -0.0F);
          product.queue.enqueueWriteBuffer(product.c, CL_TRUE, 0, 35 * sizeof(float), zeros.data());
          if (no_terms) {
            product.problem.k = 0;
          } else {
            product.operands.alpha = 0;
          }
          product.operands.a = product.operands.b = {};
          product.operands.beta = beta;
          cl::UserEvent gate(product.context);
          const cl_event wait = gate();
          const Event event = product.run({&wait, 1}, choice);
          cl_int status = CL_COMPLETE;
          clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
          CHECK(status > CL_COMPLETE);
          gate.setStatus(CL_COMPLETE);
          event.wait();
          for (const float value : product.read(product.c)) CHECK(std::signbit(value));
          count_cases();
        }
  }

  TEST_CASE("k = 0 with NaN in all memory that must not be read") {
    for (const Choice& choice : every_choice({.m = 4, .n = 4, .k = 4}))
      for (const double beta : {0.0, 1.0, -2.0}) {
        GemmCase test = some_case(choice);
        test.k = 0;
        test.beta = beta;
        check_case(test);
      }
  }

  TEST_CASE("non-finite scalars follow IEEE 754") {
    for (const Choice& choice : every_choice({.m = 4, .n = 4, .k = 4}))
      for (const double scalar : {infinity, -infinity, not_a_number}) {
        if (test_level() == TestLevel::quick && scalar < 0) continue;
        GemmCase test = some_case(choice);
        test.alpha = scalar;
        test.beta = 1;
        check_case(test);
        test.beta = 0;
        check_case(test);
        test.alpha = 1;
        test.beta = scalar;
        check_case(test);
        test.alpha = 0;
        check_case(test);
      }
  }

  TEST_CASE("single-precision products round scalars to float") {
    for (const Choice& choice : every_choice({.m = 4, .n = 4, .k = 4})) {
      GemmCase test = some_case(choice);
      test.beta = 1e-60;  // rounds to 0: C must not be read
      check_case(test);
      test.beta = 1;
      test.alpha = -1e-60;  // rounds to -0: A and B must not be read
      check_case(test);
      test.alpha = 1e60;  // rounds to infinity
      check_case(test);
    }
  }

  TEST_CASE("negative zero counts as a zero scalar") {
    for (const Choice& choice : every_choice({.m = 4, .n = 4, .k = 4})) {
      GemmCase test = some_case(choice);
      test.beta = -0.0;
      check_case(test);
      test.beta = 1;
      test.alpha = -0.0;
      check_case(test);
    }
  }

  TEST_CASE("a deep product with few work-groups is split along k and summed in order") {
    for (const VariantInfo& variant : third_of_variants(0)) {
      const auto named = [](const char* name) {
        return [name](const Parameter& parameter) { return parameter.name == name; };
      };
      if (std::none_of(variant.parameters.begin(), variant.parameters.end(), named("slice_k"))) continue;
      Configuration short_slices{{"slice_k", 16}};
      if (std::any_of(variant.parameters.begin(), variant.parameters.end(), named("block_k")))
        short_slices.set("block_k", 8);
      GemmCase some = some_case({variant.name, short_slices});
      if (!gemm_support(device_under_test().profile, variant.name, {.type = some.type, .m = 8, .n = 8, .k = 8})
               .supported)
        some.type = DataType::f64;
      if (!gemm_support(device_under_test().profile, variant.name, {.type = some.type, .m = 8, .n = 8, .k = 8})
               .supported)
        continue;
      for (const std::uint64_t k : {49U, 130U, 31U, 32U, 47U, 48U, 96U, 200U})
        for (const double beta : {-0.7, 0.0, 1.0}) {
          if (test_level() == TestLevel::quick && (k != 49 || beta >= 0)) continue;
          GemmCase test = some;
          test.k = k;
          test.beta = beta;
          test.data = verification::DataKind::uniform;
          test.specials = k == 49;
          check_case(test);
        }
    }
  }

  TEST_CASE("tiles that do not fill a round of work-groups are split along k and summed in order") {
    for (const VariantInfo& variant : third_of_variants(1)) {
      if (variant.name != "async_tile") continue;
      if (!gemm_support(device_under_test().profile, variant.name, {.m = 17, .n = 9, .k = 5}).supported) continue;
      for (const std::uint64_t k : {4095U, 4096U, 4097U, 9000U})
        for (const double beta : {0.0, 1.0, -0.7}) {
          GemmCase test = some_case({variant.name, {}});
          test.k = k;
          test.beta = beta;
          test.data = verification::DataKind::uniform;
          test.specials = k == 4097;
          check_case(test);
        }
    }
  }

  TEST_CASE("double precision is refused on a device without it") {
    if (device_under_test().profile.fp64) return;
    const GemmProblem problem{.type = DataType::f64, .m = 2, .n = 2, .k = 2};
    const SmallProduct product;
    expect_error(ErrorCode::unsupported_type, [&] { GemmPlan(product.engine, problem); });
    expect_error(ErrorCode::unsupported_type,
                 [&] { gemm(product.engine, product.queue(), problem, product.operands); });
    for (const VariantInfo& variant : third_of_variants(0))
      expect_error(ErrorCode::unsupported_type, [&] { GemmPlan(product.engine, problem, {variant.name, {}}); });
    CHECK(product.read(product.c) == product.before());
  }
}

}  // namespace tilewright::test
