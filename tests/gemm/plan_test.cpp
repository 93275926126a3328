// A plan is compiled once for the requested problem and stays usable until it is destroyed.
#include <doctest/doctest.h>

#include <memory>
#include <utility>

#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::test {
namespace {

void check_plan(const GemmPlan& plan, const SmallProduct& product) {
  product.reset_c();
  plan.enqueue(product.queue(), product.operands).wait();
  count_kernel(plan);
  count_cases();
  CHECK(product.read(product.c) == product.after());
}

}  // namespace

TEST_SUITE("plan") {
  TEST_CASE("a plan reports its problem and choice, which explain_gemm predicted") {
    const SmallProduct product;
    const GemmPlan plan(product.engine, product.problem);
    const Explanation explanation = explain_gemm(product.engine.profile(), product.problem);
    CHECK(plan.problem() == product.problem);
    CHECK(plan.explanation().variant == explanation.variant);
    CHECK(plan.explanation().configuration == explanation.configuration);
    CHECK(plan.explanation().reason == explanation.reason);
    CHECK(plan.explanation().problem == explanation.problem);
    CHECK(plan.explanation().problem.starts_with("gemm f32 "));
    CHECK(plan.explanation().candidates.empty());
    check_plan(plan, product);
  }

  TEST_CASE("a variant and some of its parameters can be forced") {
    const SmallProduct product;
    const GemmPlan plan(product.engine, product.problem, {"local_tile", {{"tile_k", 4}, {"tile_n", 8}}});
    CHECK(plan.explanation().variant == "local_tile");
    CHECK(plan.explanation().configuration["tile_k"] == 4);
    CHECK(plan.explanation().configuration["tile_n"] == 8);
    CHECK(plan.explanation().configuration.contains("tile_m"));
    check_plan(plan, product);
  }

  TEST_CASE("a moved plan remains usable") {
    const SmallProduct product;
    GemmPlan first(product.engine, product.problem);
    GemmPlan second(std::move(first));
    check_plan(second, product);
    GemmPlan third(product.engine, product.problem, {"naive", {}});
    third = std::move(second);
    check_plan(third, product);
  }

  TEST_CASE("a plan outlives its engine and its caller's context handle") {
    auto product = std::make_unique<SmallProduct>(Engine(device_under_test()));
    const GemmPlan plan(product->engine, product->problem, {"local_tile", {{"padded", 1}}});
    product->engine = shared_engine();
    product->context = cl::Context();
    check_plan(plan, *product);
  }

  TEST_CASE("plans report the workspace that their calls need") {
    const SmallProduct product;
    CHECK(GemmPlan(product.engine, product.problem, {"naive", {}}).workspace_bytes() == 0);
    const GemmPlan padded(product.engine, product.problem,
                          {"local_tile", {{"tile_m", 8}, {"tile_n", 8}, {"tile_k", 8}, {"padded", 1}}});
    CHECK(padded.workspace_bytes() == 2 * 8 * 8 * sizeof(float));
  }

  TEST_CASE("a workspace that the device cannot hold has its own error") {
    const Engine& engine = shared_engine();
    constexpr std::uint64_t large = std::uint64_t{1} << 20;
    const Choice padded{"local_tile", {{"tile_m", 16}, {"tile_n", 16}, {"padded", 1}}};
    expect_error(ErrorCode::out_of_memory, [&] { GemmPlan(engine, {.m = large, .n = large, .k = large}, padded); });
  }

  TEST_CASE("a workspace size that overflows 64 bits is not taken for a small one") {
    // 16 rows of 2^58 + 16 floats are 2^64 + 1024 bytes.
    const GemmProblem problem{.m = 1, .n = 1, .k = (std::uint64_t{1} << 58) + 16};
    const Choice padded{"local_tile", {{"tile_m", 16}, {"tile_n", 16}, {"padded", 1}}};
    expect_error(ErrorCode::out_of_memory, [&] { GemmPlan(shared_engine(), problem, padded); });
  }

  TEST_CASE("sizes are not compiled in, so another size needs no compilation") {
    const Engine engine(device_under_test());
    std::size_t compiled = 0;
    for (const char* variant : {"register_blocked", "packed_panel"}) {
      Choice choice{variant, GemmPlan(engine, {.m = 65, .n = 67, .k = 63}, {variant, {}}).explanation().configuration};
      ++compiled;
      for (std::uint64_t size = 69; size < 159; size += 2)
        GemmPlan(engine, {.m = size, .n = size + 2, .k = size + 4}, choice);
      CHECK(engine.program_statistics().compiled == compiled);
    }
    CHECK(engine.program_statistics().reused >= 90);
  }

  TEST_CASE("gemm() caches recent plans, and many different plans stay correct") {
    const Engine engine(device_under_test());
    for (int round = 0; round < 2; ++round)
      for (std::uint64_t m = 1; m <= 150; ++m) {
        const SmallProduct product(engine, m, 3, 2);
        product.run({}, {"naive", {}}).wait();
        REQUIRE(product.read(product.c) == product.after());
      }
    CHECK(engine.program_statistics().compiled == 1);
    const SmallProduct product(engine);
    product.expect_right({"naive", {}});
    const auto requests = engine.program_statistics().reused;
    for (int call = 0; call < 20; ++call) product.run({}, {"naive", {}}).wait();
    CHECK(engine.program_statistics().reused == requests);
  }
}

}  // namespace tilewright::test
