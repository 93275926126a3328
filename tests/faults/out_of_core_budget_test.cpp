// The memory that products of matrices in host memory really allocate, against their budget.
#include <doctest/doctest.h>

#include <string>

#include "faults/fault_shim.hpp"
#include "out_of_core/host_product.hpp"
#include "support/device_under_test.hpp"
#include "support/draws.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"

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
  TEST_CASE("never more than the budget is allocated, whatever the sizes of the tiles") {
    const unsigned count = test_level() == TestLevel::full ? 300 : 16;
    for (unsigned seed = 0; seed < count; ++seed) {
      Draws draws(seed);
      CAPTURE(seed);
      const GemmProblem problem = drawn_problem(draws);
      HostProduct<float> product(problem, 2, draws.below(2) == 0 ? 0 : 3);
      const Engine engine(device_under_test());  // its workspace counts
      // A padded local_tile has workspaces of different sizes, texel_blocked an image for each plan.
      const Choice padded{"local_tile", {{"padded", 1}}};
      OutOfCoreOptions options{.transfer = engine.profile().type == DeviceType::cpu && draws.below(3) == 0
                                               ? TileTransfer::in_place
                                               : TileTransfer::staged,
                               .speeds = supposed,
                               .choice = draws.below(4) == 0 ? Choice{"texel_blocked", {}} : padded};
      if (!gemm_support(engine.profile(), options.choice.variant, product.problem).supported) continue;
      if (draws.below(3) != 0) options.tile = {20 + draws.below(99), 20 + draws.below(99), 20 + draws.below(99)};
      const std::uint64_t least = least_memory_out_of_core(engine, product.problem, options);
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
}

}  // namespace tilewright::test
