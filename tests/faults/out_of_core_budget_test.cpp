// Checks the memory that products of host matrices allocate against their budget.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "faults/fault_shim.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/draws.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/gemm.hpp"
#include "tilewright/gemm_memory.hpp"

namespace tilewright::test {
namespace {

constexpr TransferSpeeds supposed{.upload = 1e9, .download = 2e9, .host_copy = 3e9, .flops = 1e10, .launch = 1e-5};

GemmProblem drawn_problem(Draws& draws) {
  const auto trans = [&] { return draws.below(2) == 0 ? Transpose::no : Transpose::yes; };
  return {.layout = draws.below(2) == 0 ? Layout::row_major : Layout::column_major,
          .trans_a = trans(),
          .trans_b = trans(),
          .m = 20 + draws.below(200),
          .n = 20 + draws.below(200),
          .k = 20 + draws.below(200)};
}

}  // namespace

TEST_SUITE("out of core faults") {
  TEST_CASE("allocations never exceed the budget, whatever the tile sizes") {
    const unsigned count = test_level() == TestLevel::full ? 300 : 16;
    for (unsigned seed = 0; seed < count; ++seed) {
      Draws draws(seed);
      CAPTURE(seed);
      const GemmProblem problem = drawn_problem(draws);
      HostProduct<float> product(problem, 2, draws.below(2) == 0 ? 0 : 3);
      const Engine engine(device_under_test());  // its workspace counts
      // A padded local_tile has workspaces of different sizes; texel_blocked has an image per plan.
      const Choice padded{"local_tile", {{"padded", 1}}};
      OutOfCoreOptions options{.transfer = engine.profile().type == DeviceType::cpu && draws.below(3) == 0
                                               ? TileTransfer::in_place
                                               : TileTransfer::staged,
                               .speeds = supposed,
                               .choice = draws.below(4) == 0 ? Choice{"texel_blocked", {}} : padded};
      if (!gemm_support(engine.profile(), options.choice.variant, product.problem).supported) continue;
      if (draws.below(3) != 0) options.tile = {20 + draws.below(99), 20 + draws.below(99), 20 + draws.below(99)};
      const std::uint64_t least = min_memory_out_of_core(engine, product.problem, options);
      options.memory = least + draws.below(2) * draws.below(4 * least);
      faults::measure_memory();
      {
        const OutOfCorePlan plan(engine, product.problem, options);
        CAPTURE(to_string(plan.schedule()));
        for (int run = 0; run < 2; ++run) {
          product.reset();
          plan.run(product.operands);
          product.check_right();
        }
        HostOperands scales_c = product.operands;
        scales_c.alpha = 0;
        plan.run(scales_c);
        CHECK(faults::max_memory() <= options.memory);
        CHECK(plan.schedule().memory() <= options.memory);
      }
      count_cases();
    }
    count_kernel_of("out of core in a budget");
  }

  TEST_CASE("a workspace that grows is released first, and allocated again by the next call if it cannot grow") {
    const Engine engine(device_under_test());
    const Choice padded{"local_tile", {{"padded", 1}}};
    const cl::CommandQueue queue(cl::Context(engine.context(), true), cl::Device(engine.device(), true));
    const std::vector<float> ones(40 * 40, 1);
    const auto buffer = [&] {
      return cl::Buffer(cl::Context(engine.context(), true), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                        ones.size() * sizeof(float), const_cast<float*>(ones.data()));
    };
    const cl::Buffer a = buffer(), b = buffer(), c = buffer();
    faults::measure_memory();
    const GemmPlan small(engine, {.m = 39, .n = 39, .k = 39}, padded);
    REQUIRE(small.workspace_bytes() > 0);
    CHECK(faults::max_memory() == small.workspace_bytes());
    const GemmProblem larger{.m = 300, .n = 300, .k = 300};
    const std::uint64_t bytes = gemm_memory(engine, larger, padded).shared;
    REQUIRE(bytes > small.workspace_bytes());
    const auto check_small = [&] {
      small.enqueue(queue(), {.a = {a()}, .b = {b()}, .c = {c()}}).wait();
      std::vector<float> got(ones.size());
      queue.enqueueReadBuffer(c, CL_TRUE, 0, got.size() * sizeof(float), got.data());
      CHECK(got[0] == 39);
    };
    faults::arm({.function = "clCreateBuffer", .call = 1, .status = CL_MEM_OBJECT_ALLOCATION_FAILURE});
    expect_error(ErrorCode::out_of_memory, [&] { const GemmPlan plan(engine, larger, padded); });
    faults::disarm();
    check_small();
    faults::arm({.function = "clCreateBuffer",
                 .call = 1,
                 .status = CL_MEM_OBJECT_ALLOCATION_FAILURE,
                 .failure = faults::Failure::lasting});
    expect_error(ErrorCode::out_of_memory, [&] { const GemmPlan plan(engine, larger, padded); });
    expect_error(ErrorCode::out_of_memory, check_small);
    faults::disarm();
    check_small();
    const GemmPlan large(engine, larger, padded);
    check_small();
    CHECK(faults::max_memory() == bytes);
    count_kernel(small);
    count_cases();
  }
}

}  // namespace tilewright::test
