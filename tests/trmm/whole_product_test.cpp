// Triangular products by one product that replaces B: every form, with panels of every shape. The tests choose
// packed_panel, which runs on all devices; CPUs take this path by default.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/panel_choices.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "trmm/chosen_case.hpp"
#include "verification/trmm/trmm_case.hpp"

namespace tilewright::test {
namespace {

using verification::TrmmCase, verification::TrmmData;

constexpr const char* whole = "one product leaves out the zeros of A";

bool is_whole(const Explanation& explanation) { return explanation.reason == whole; }

void check_whole(const TrmmCase& test) { check_chosen(test, whole); }

}  // namespace

TEST_SUITE("trmm by one product") {
  TEST_CASE("every form, with panels of every shape") {
    constexpr std::uint64_t orders[] = {131, 64, 257, 7, 70};
    // Neither a factor of the number of forms nor of the number of choices.
    const std::size_t apart = test_level() == TestLevel::quick ? 7 : 1;
    std::size_t turn = 0;
    for (const DataType type : trmm_types())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Side side : {Side::left, Side::right})
          for (const Uplo uplo : {Uplo::lower, Uplo::upper})
            for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
              for (const Diag diag : {Diag::non_unit, Diag::unit}) {
                if (turn++ % apart != 0) continue;
                const std::size_t number = turn / apart;
                TrmmCase test{.type = type, .layout = layout, .side = side, .uplo = uplo, .trans = trans, .diag = diag};
                const std::uint64_t order = orders[number % 5], lines = 9 + number % 4 * 17;
                test.m = side == Side::left ? order : lines;
                test.n = side == Side::left ? lines : order;
                test.alpha = number % 3 == 0 ? -1.5 : 2;
                if (is_complex(type) && number % 4 != 0) test.alpha = {0.5, -1};
                test.data = number % 3 == 1 ? TrmmData::nans : TrmmData::integers;
                if (number % 2 == 0) {
                  test.gaps = {number % 4, 1 + number % 3};
                  test.offsets = {3, 1};
                }
                test.count = number % 4 == 3 ? 3 : 1;
                test.shares_a = number % 8 == 3;
                test.products = panel_choices[number * 7 % panel_choices.size()];
                check_whole(test);
              }
  }

  TEST_CASE("orders around panels and blocks of k") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const DataType type : {DataType::f32, DataType::c64})
          for (const Diag diag : {Diag::non_unit, Diag::unit})
            for (const std::uint64_t order : {1U, 5U, 6U, 8U, 15U, 16U, 17U, 63U, 64U, 65U, 127U, 128U, 129U, 200U}) {
              TrmmCase test{.type = type,
                            .side = side,
                            .uplo = uplo,
                            .diag = diag,
                            .data = TrmmData::nans,
                            .products = panel_choices[0]};
              test.m = side == Side::left ? order : 20;
              test.n = side == Side::left ? 20 : order;
              check_whole(test);
            }
  }

  // Several groups of rows and columns, on CPUs by the default configuration. A transposed A is packed once for some
  // types.
  TEST_CASE("large triangles") {
    const bool is_cpu = shared_engine().profile().type == DeviceType::cpu;
    for (const DataType type : trmm_types())
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper})
          for (const Transpose trans : {Transpose::no, Transpose::yes}) {
            TrmmCase test{.type = type, .side = side, .uplo = uplo, .trans = trans, .data = TrmmData::nans};
            test.m = side == Side::left ? 523 : 97;
            test.n = side == Side::left ? 97 : 523;
            const bool packs_once = type == DataType::f32 || type == DataType::c64;
            test.products =
                is_cpu ? Choice{"packed_panel", {{"pack_a", packs_once ? 1 : 0}}} : panel_choices[packs_once ? 1 : 0];
            check_whole(test);
          }
  }

  // Elements of B that have no product with an infinity stay finite. This includes products with ones and zeros of a
  // complex unit diagonal.
  TEST_CASE("infinities reach only the lines that depend on them") {
    constexpr float inf = std::numeric_limits<float>::infinity();
    using C64 = std::complex<float>;
    constexpr std::uint64_t lines = 5;
    for (const Choice& choice : panel_choices)
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper})
          for (const Diag diag : {Diag::non_unit, Diag::unit})
            for (const std::uint64_t order : {40U, 70U, 150U})
              for (const std::uint64_t infinite : {std::uint64_t{0}, order / 2, order - 1}) {
                const bool is_left = side == Side::left;
                std::vector<C64> a(order * order, C64(NAN, NAN)), b(order * lines, C64(1, 1));
                for (std::uint64_t i = 0; i < order; ++i)
                  for (std::uint64_t k = 0; k < order; ++k)
                    if (uplo == Uplo::lower ? k < i : k > i) a[i * order + k] = C64(1, 1);
                if (diag == Diag::non_unit)
                  for (std::uint64_t i = 0; i < order; ++i) a[i * (order + 1)] = C64(1, 1);
                const auto place = [&](std::uint64_t i) { return is_left ? i * lines + 2 : 2 * order + i; };
                b[place(infinite)] = C64(inf, 1);
                const cl::CommandQueue queue = make_queue();
                const cl::Buffer of_a(shared_context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 8 * a.size(),
                                      a.data());
                const cl::Buffer of_b(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 8 * b.size(),
                                      b.data());
                const TrmmProblem problem{.type = DataType::c64,
                                          .side = side,
                                          .uplo = uplo,
                                          .diag = diag,
                                          .m = is_left ? order : lines,
                                          .n = is_left ? lines : order};
                trmm(shared_engine(), queue(), problem, {.a = {of_a()}, .b = {of_b()}}, {}, choice).wait();
                queue.enqueueReadBuffer(of_b, CL_TRUE, 0, 8 * b.size(), b.data());
                // T is lower if it is A, stored lower, on the left.
                const bool is_lower = (uplo == Uplo::lower) == is_left;
                std::uint64_t wrong = 0;
                for (std::uint64_t i = 0; i < order; ++i) {
                  const bool depends = is_lower ? i >= infinite : i <= infinite;
                  const C64 found = b[place(i)];
                  if (depends == std::isfinite(found.real())) ++wrong;
                  if (i == infinite && diag == Diag::unit && !std::isfinite(found.imag())) ++wrong;
                }
                CAPTURE(is_left);
                CAPTURE(order);
                CAPTURE(infinite);
                CHECK(wrong == 0);
                count_cases();
              }
  }

  TEST_CASE("alpha = 0 writes zeros") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const DataType type : {DataType::f32, DataType::c64})
          check_whole({.type = type,
                       .side = side,
                       .uplo = uplo,
                       .m = 140,
                       .n = 140,
                       .alpha = 0,
                       .data = TrmmData::nans,
                       .products = panel_choices[2]});
  }

  TEST_CASE("which products are multiplied as a whole") {
    const auto reason = [](const TrmmProblem& problem, const Choice& products) {
      return TrmmPlan(shared_engine(), problem, products).explanation();
    };
    CHECK(is_whole(reason({.m = 5, .n = 4}, panel_choices[0])));
    CHECK_FALSE(is_whole(reason({.m = 300, .n = 40}, {"naive", {}})));
    CHECK_FALSE(is_whole(reason({.m = 300, .n = 40}, {"register_blocked", {}})));
    const bool is_cpu = shared_engine().profile().type == DeviceType::cpu;
    for (const Side side : {Side::left, Side::right}) {
      CHECK(is_whole(reason({.side = side, .m = 600, .n = 600}, {})) == is_cpu);
      CHECK_FALSE(is_whole(reason({.side = side, .m = 64, .n = 64}, {})));
    }
    CHECK_FALSE(is_whole(reason({.side = Side::right, .m = 8, .n = 600}, {})));
    Engine small_memory(shared_context()(), shared_engine().device());
    DeviceProfile device = small_memory.profile();
    device.max_allocation_bytes = 65536;  // a quarter holds 4096 elements
    state_of(small_memory).set_profile(device);
    for (const Side side : {Side::left, Side::right}) {
      const auto small = [&](std::uint64_t size) {
        return is_whole(TrmmPlan(small_memory, {.side = side, .m = size, .n = size}, panel_choices[0]).explanation());
      };
      CHECK(small(64));
      CHECK_FALSE(small(65));
    }
    count_cases();
  }
}

}  // namespace tilewright::test
