// Products with a symmetric matrix by one product that packs it from its triangle: every form, with panels of every
// shape. The tests choose packed_panel, which runs on all devices; CPUs take this path by default.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/panel_choices.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/symm.hpp"
#include "verification/symm/symm_case.hpp"

namespace tilewright::test {
namespace {

using verification::SymmCase;

std::vector<DataType> symm_types() {
  std::vector<DataType> all{DataType::f32, DataType::c64, DataType::f16, DataType::bf16};
  if (shared_engine().profile().fp64) all.insert(all.end(), {DataType::f64, DataType::c128});
  return all;
}

bool is_whole(const Explanation& explanation) {
  return explanation.reason == "one product packs A from its stored triangle";
}

bool is_whole(const Engine& engine, const SymmProblem& problem, const Choice& products) {
  return is_whole(SymmPlan(engine, problem, products).explanation());
}

void set_sizes(SymmCase& test, std::uint64_t order, std::uint64_t lines) {
  test.m = test.side == Side::left ? order : lines;
  test.n = test.side == Side::left ? lines : order;
}

// Checks a case, and that one product computes it.
void check_whole(const SymmCase& test) {
  CAPTURE(to_string(test));
  CHECK(try_symm_case(shared_engine(), test) == "");
  CHECK(is_whole(shared_engine(), {.type = test.type, .side = test.side, .m = test.m, .n = test.n}, test.products));
  count_cases();
  count_kernel_of("symm " + std::string(to_string(test.type)));
}

}  // namespace

TEST_SUITE("symm by one product") {
  TEST_CASE("every form, with panels of every shape") {
    constexpr std::uint64_t orders[] = {131, 64, 257, 7, 70};
    // Neither a factor of the number of forms nor of the number of choices.
    const std::size_t apart = test_level() == TestLevel::quick ? 7 : 1;
    std::size_t turn = 0;
    for (const DataType type : symm_types())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian})
          for (const Side side : {Side::left, Side::right})
            for (const Uplo uplo : {Uplo::lower, Uplo::upper})
              for (const Choice& panels : panel_choices) {
                if (turn++ % apart != 0) continue;
                const std::size_t number = turn / apart;
                SymmCase test{.symmetry = symmetry, .type = type, .layout = layout, .side = side, .uplo = uplo};
                set_sizes(test, orders[number % 5], 9 + number % 4 * 17);
                test.alpha = number % 3 == 0 ? -1.5 : 2;
                test.beta = number % 3 == 1 ? 0 : 3;
                if (is_complex(type) && number % 4 != 0) test.alpha = {0.5, -1};
                if (is_complex(type) && number % 5 == 0) test.beta = {1, 2};
                if (number % 2 == 0) {
                  test.gaps = {number % 4, 1 + number % 3, 2};
                  test.offsets = {3, 1, 5};
                }
                test.count = number % 4 == 3 ? 3 : 1;
                test.shares_a = number % 8 == 3;
                test.products = panels;
                check_whole(test);
              }
  }

  TEST_CASE("orders around panels, strips and blocks of k") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const DataType type : {DataType::f32, DataType::c64})
          for (const std::size_t panels : {0U, 1U})
            for (const std::uint64_t order : {1U, 2U, 5U, 6U, 8U, 15U, 16U, 17U, 63U, 64U, 65U, 95U, 97U, 129U, 200U}) {
              SymmCase test{.symmetry = Symmetry::hermitian,
                            .type = type,
                            .side = side,
                            .uplo = uplo,
                            .products = panel_choices[panels]};
              set_sizes(test, order, 20);
              check_whole(test);
            }
  }

  // On CPUs with panels of the default configuration, of which A has several groups.
  TEST_CASE("large matrices") {
    const bool is_cpu = shared_engine().profile().type == DeviceType::cpu;
    for (const DataType type : symm_types())
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
          SymmCase test{.symmetry = Symmetry::hermitian, .type = type, .side = side, .uplo = uplo};
          set_sizes(test, 523, 97);
          test.products = is_cpu ? Choice{"packed_panel", {}} : panel_choices[0];
          check_whole(test);
        }
  }

  TEST_CASE("alpha = 0 scales C") {
    for (const Side side : {Side::left, Side::right})
      for (const DataType type : {DataType::f32, DataType::c64})
        for (const double beta : {0.0, 3.0})
          check_whole(
              {.type = type, .side = side, .m = 140, .n = 140, .alpha = 0, .beta = beta, .products = panel_choices[2]});
  }

  TEST_CASE("a lent workspace holds the packed matrices") {
    constexpr std::uint64_t order = 70;
    for (const Side side : {Side::left, Side::right}) {
      const SymmPlan plan(shared_engine(), {.side = side, .m = order, .n = order}, panel_choices[0]);
      const std::uint64_t bytes = plan.workspace_bytes();
      REQUIRE(bytes >= order * order * 4);
      const cl::CommandQueue queue = make_queue();
      const std::vector<float> ones(order * order, 1);
      const auto filled = [&] {
        return cl::Buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, order * order * 4,
                          const_cast<float*>(ones.data()));
      };
      const cl::Buffer a = filled(), b = filled(), c = filled(), lent(shared_context(), CL_MEM_READ_WRITE, bytes);
      const auto enqueue = [&](std::uint64_t offset) {
        plan.enqueue(queue(), {.a = {a()}, .b = {b()}, .c = {c()}, .workspace = {lent(), offset}, .event = false});
      };
      enqueue(0);
      std::vector<float> found(order * order);
      queue.enqueueReadBuffer(c, CL_TRUE, 0, 4 * found.size(), found.data());
      CHECK(found == std::vector<float>(found.size(), static_cast<float>(order)));
      expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { enqueue(256); });
      count_cases();
    }
  }

  TEST_CASE("which matrices are packed from their triangle") {
    const Engine& engine = shared_engine();
    CHECK(is_whole(engine, {.m = 5, .n = 4}, panel_choices[0]));
    CHECK_FALSE(is_whole(engine, {.m = 300, .n = 40}, {"naive", {}}));
    CHECK_FALSE(is_whole(engine, {.m = 300, .n = 40}, {"register_blocked", {}}));
    // A vector of one real cannot hold a complex element, so the product would be one of an expanded B.
    CHECK_FALSE(is_whole(engine, {.type = DataType::c64, .m = 300, .n = 40},
                         {"packed_panel", {{"item_n", 16}, {"vector_n", 1}}}));
    const bool is_cpu = engine.profile().type == DeviceType::cpu;
    for (const Side side : {Side::left, Side::right}) {
      CHECK(is_whole(engine, {.side = side, .m = 600, .n = 600}, {}) == is_cpu);
      SymmCase few{.side = side};
      set_sizes(few, 1100, 60);  // blocks of A are expanded
      CHECK_FALSE(is_whole(engine, {.side = side, .m = few.m, .n = few.n}, {}));
      CHECK(is_whole(engine, {.side = side, .m = few.m, .n = few.n}, panel_choices[0]));
    }
    Engine small_memory(shared_context()(), engine.device());
    DeviceProfile device = small_memory.profile();
    device.max_allocation_bytes = 65536;  // a quarter holds 4096 elements
    state_of(small_memory).set_profile(device);
    CHECK(is_whole(small_memory, {.m = 64, .n = 8}, panel_choices[0]));
    CHECK_FALSE(is_whole(small_memory, {.m = 65, .n = 8}, panel_choices[0]));
    count_cases();
  }
}

}  // namespace tilewright::test
