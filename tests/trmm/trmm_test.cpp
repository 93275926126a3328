// Calls of trmm: errors, NaN and infinity, scalars, lent workspaces, explanations, and B's that are not copied.
#include "tilewright/trmm.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "support/triangular_calls.hpp"
#include "verification/trmm/trmm_case.hpp"

namespace tilewright::test {
namespace {

using C64 = std::complex<float>;

struct SmallTrmm : TriangularCall<TrmmPlan, TrmmProblem, TrmmOperands, &trmm> {
  explicit SmallTrmm(std::uint64_t m = 5, std::uint64_t n = 7) : TriangularCall(m, n, 0, std::nanf("")) {}

  // Row i of the product is i + 2.
  bool is_right() const {
    const std::vector<float> values = read();
    bool right = true;
    for (std::uint64_t i = 0; i < problem.m; ++i)
      for (std::uint64_t j = 0; j < problem.n; ++j)
        right = right && values[i * problem.n + j] == static_cast<float>(i + 2);
    count_cases();
    return right;
  }
};

}  // namespace

TEST_SUITE("trmm calls") {
  TEST_CASE("problems that are invalid") {
    check_invalid_problems<SmallTrmm>({DataType::u8, DataType::i32, DataType::i8, static_cast<DataType>(99)});
  }

  TEST_CASE("operands that do not fit") { check_invalid_operands<SmallTrmm>(); }

  TEST_CASE("NaN and infinity reach only the rows that depend on them, in every block") {
    for (const std::uint64_t m : {2U, 5U, 40U, 70U, 200U})
      for (const float value : {std::nanf(""), std::numeric_limits<float>::infinity()})
        for (const std::uint64_t row : {std::uint64_t{0}, m / 2, m - 1}) {
          SmallTrmm call(m, 3);
          std::vector<float> values(m * 3, 1);
          values[row * 3 + 1] = value;
          call.write(values);
          call.run().wait();
          const std::vector<float> result = call.read();
          bool is_right = true;
          for (std::uint64_t i = 0; i < m; ++i)
            for (std::uint64_t j = 0; j < 3; ++j) {
              const float found = result[i * 3 + j];
              const bool is_hit = j == 1 && i >= row;
              is_right = is_right && (is_hit ? std::isnan(found) == std::isnan(value) && !std::isfinite(found)
                                             : found == static_cast<float>(i + 2));
            }
          CAPTURE(m);
          CAPTURE(row);
          CHECK(is_right);
          count_cases();
        }
  }

  TEST_CASE("a unit diagonal keeps infinite parts of complex numbers, whatever variant is chosen") {
    using C128 = std::complex<double>;
    if (!device_under_test().profile.fp64) return;
    constexpr std::uint64_t order = 70, lines = 3;
    for (const Side side : {Side::left, Side::right}) {
      const bool is_left = side == Side::left;
      std::vector<C128> a(order * order), b(order * lines, C128(2, 1));
      for (std::uint64_t i = 0; i < order; ++i) a[i * (order + 1)] = C128(std::nan(""), 0);
      for (std::uint64_t l = 0; l < lines; ++l)
        b[is_left ? (order - 1) * lines + l : l * order + order - 1] = C128(std::numeric_limits<double>::infinity(), 1);
      const TrmmProblem unit{.type = DataType::c128,
                             .side = side,
                             .uplo = is_left ? Uplo::lower : Uplo::upper,
                             .diag = Diag::unit,
                             .m = is_left ? order : lines,
                             .n = is_left ? lines : order};
      const cl::CommandQueue queue = make_queue();
      const cl::Buffer of_a(shared_context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 16 * a.size(), a.data());
      const cl::Buffer of_b(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 16 * b.size(), b.data());
      trmm(shared_engine(), queue(), unit, {.a = {of_a()}, .b = {of_b()}}).wait();
      std::vector<C128> found(b.size());
      queue.enqueueReadBuffer(of_b, CL_TRUE, 0, 16 * found.size(), found.data());
      CHECK(found == b);
      count_cases();
    }
  }

  TEST_CASE("an alignment that operands keep is not required of a lent workspace") {
    if (!device_under_test().profile.fp64) return;
    constexpr std::uint64_t order = 70, lines = 3;
    const TrmmPlan plan(shared_engine(), {.type = DataType::f64, .m = order, .n = lines, .offset_alignment = 64});
    const cl::CommandQueue queue = make_queue();
    std::vector<double> a(order * order, 1), b(order * lines, 1);
    const cl::Buffer of_a(shared_context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 8 * a.size(), a.data());
    const cl::Buffer of_b(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 8 * b.size(), b.data());
    const cl::Buffer lent(shared_context(), CL_MEM_READ_WRITE, 256 + plan.workspace_bytes());
    plan.enqueue(queue(), {.a = {of_a()}, .b = {of_b()}, .workspace = {lent(), 256}}).wait();
    queue.enqueueReadBuffer(of_b, CL_TRUE, 0, 8 * b.size(), b.data());
    for (std::uint64_t i = 0; i < order; ++i) CHECK(b[i * lines] == static_cast<double>(i + 1));
    count_cases();
  }

  TEST_CASE("infinite parts of complex numbers make no NaN of the other part") {
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (const DeviceType kernels : kernel_types())
      for (const Side side : {Side::left, Side::right}) {
        const Engine engine = engine_with_kernels_for(kernels);
        const auto product = [&](TrmmProblem p, std::vector<C64> a, std::vector<C64> b) {
          p.type = DataType::c64;
          p.side = side;
          const cl::CommandQueue queue = make_queue();
          const cl::Buffer of_a(shared_context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 8 * a.size(), a.data());
          const cl::Buffer of_b(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 8 * b.size(), b.data());
          trmm(engine, queue(), p, {.a = {of_a()}, .b = {of_b()}}, {}, plain_products).wait();
          queue.enqueueReadBuffer(of_b, CL_TRUE, 0, 8 * b.size(), b.data());
          count_cases();
          return b;
        };
        CHECK(product({.m = 1, .n = 1}, {{inf, 0}}, {{1, 1}}) == std::vector<C64>{{inf, inf}});
        // A unit diagonal leaves the last row or column, on which no other one depends, as it is.
        for (const std::uint64_t order : {1U, 5U, 8U, 40U, 70U}) {
          CAPTURE(order);
          const bool is_left = side == Side::left;
          std::vector<C64> a(order * order), b(order * 3, C64(2, 1));
          for (std::uint64_t i = 0; i < order; ++i) a[i * (order + 1)] = C64(std::nanf(""), 0);
          for (std::uint64_t l = 0; l < 3; ++l) b[is_left ? (order - 1) * 3 + l : l * order + order - 1] = C64(inf, 1);
          const TrmmProblem unit{.uplo = is_left ? Uplo::lower : Uplo::upper,
                                 .diag = Diag::unit,
                                 .m = is_left ? order : 3,
                                 .n = is_left ? 3 : order};
          CHECK(product(unit, a, b) == b);
        }
      }
  }

  // The sums of several products are kept in f32: with integers, each result must be the exact one, rounded once.
  TEST_CASE("f16 and bf16, in every form, in one part and in several") {
    Engine small_memory(shared_context()(), shared_engine().device());
    DeviceProfile device = small_memory.profile();
    device.max_allocation_bytes = 65536;  // parts of fewer rows than B
    state_of(small_memory).set_profile(device);
    std::uint64_t turn = 0;
    for (const Engine& engine : {shared_engine(), engine_with_kernels_for(DeviceType::gpu), small_memory})
      for (const DataType type : {DataType::f16, DataType::bf16})
        for (const Layout layout : {Layout::row_major, Layout::column_major})
          for (const Side side : {Side::left, Side::right})
            for (const Uplo uplo : {Uplo::lower, Uplo::upper})
              for (const Transpose trans : {Transpose::no, Transpose::yes}) {
                constexpr std::uint64_t orders[] = {300, 7, 64, 131};
                const std::uint64_t order = orders[turn++ % 4], lines = 1 + 13 * (turn % 3);
                using verification::TrmmData;
                verification::TrmmCase test{.type = type, .layout = layout, .side = side, .uplo = uplo, .trans = trans};
                test.diag = turn % 3 == 0 ? Diag::unit : Diag::non_unit;
                test.m = side == Side::left ? order : lines;
                test.n = side == Side::left ? lines : order;
                test.alpha = turn % 5 == 0 ? -1.5 : 2;
                test.data = turn % 3 == 1 ? TrmmData::nans : TrmmData::integers;
                test.gaps = {turn % 4, turn % 3};
                test.count = 1 + turn % 2;
                test.products = plain_products;
                CAPTURE(to_string(test));
                CHECK(try_trmm_case(engine, test) == "");
                count_cases();
              }
    count_kernel_of("trmm f16");
  }

  TEST_CASE("alpha = 0 writes zeros over NaN, and A may be null") {
    SmallTrmm call(70, 5);
    call.write(std::vector<float>(350, std::nanf("")));
    call.operands.alpha = 0;
    call.operands.a = {};
    call.run().wait();
    CHECK(call.read() == std::vector<float>(350, 0));
    count_cases();
  }

  TEST_CASE("a lent workspace, and calls without an event") { check_lent_workspaces<SmallTrmm>(); }

  TEST_CASE("a choice must be valid even if no product uses it") {
    const Choice unknown{"no_such_variant", {}};
    expect_error(ErrorCode::unknown_variant, [&] { TrmmPlan(shared_engine(), {.m = 5, .n = 4}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { TrmmPlan(shared_engine(), {}, unknown); });
    CHECK_NOTHROW(TrmmPlan(shared_engine(), {.m = 5, .n = 4}, plain_products));
    count_cases();
  }

  TEST_CASE("explanations list the products between blocks") {
    const Explanation large = TrmmPlan(shared_engine(), {.m = 300, .n = 40}, plain_products).explanation();
    CHECK(large.problem == "trmm f32 300x40");
    CHECK(mentions(large.reason, "diagonal blocks of at most"));
    REQUIRE_FALSE(large.parts.empty());
    for (const Explanation& product : large.parts) CHECK(product.variant == "naive");
    CHECK(TrmmPlan(shared_engine(), {.m = 5, .n = 40}, plain_products).explanation().parts.empty());
    CHECK(mentions(TrmmPlan(shared_engine(), {}).explanation().reason, "nothing to compute"));
  }

  TEST_CASE("a B that exceeds the caches") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        const verification::TrmmCase test{.side = side,
                                          .uplo = uplo,
                                          .m = side == Side::left ? 140U : 8000U,
                                          .n = side == Side::left ? 8000U : 140U,
                                          .alpha = -1.5,
                                          .data = verification::TrmmData::nans,
                                          .offsets = {1, 3}};
        const std::string wrong = try_trmm_case(shared_engine(), test);
        CHECK_MESSAGE(wrong.empty(), wrong);
        count_cases();
      }
    count_kernel_of("trmm f32");
  }

  TEST_CASE("many small products take workspace in proportion") {
    const TrmmProblem one{.m = 100, .n = 3};
    TrmmProblem many = one;
    many.batch = {.count = 1000, .stride_a = 10000, .stride_b = 300};
    const auto bytes = [](const TrmmProblem& p) {
      return TrmmPlan(shared_engine(), p, plain_products).workspace_bytes();
    };
    CHECK(bytes(many) <= 1000 * bytes(one) + 256);
  }
}

}  // namespace tilewright::test
