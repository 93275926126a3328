// The steps of a Strassen product, executed on the host: exact on integers for any size, and no step overwrites data
// that a later step needs.
#include "strassen/schedule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "strassen/levels.hpp"
#include "strassen/problem.hpp"
#include "support/expect_error.hpp"
#include "support/profiles.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

using namespace detail;
using Kind = StrassenStep::Kind;
using Where = StrassenPlace::Where;

// The matrices of a product, row-major and densely stored. Elements that no step has written are NaN.
struct HostSchedule {
  GemmProblem p;
  std::vector<double> a, b, c, workspace;

  double* at(const StrassenPlace& place) {
    std::vector<double>* const all[] = {&a, &b, &c, &workspace};
    return all[static_cast<int>(place.where)]->data() + place.offset;
  }

  void product(const StrassenStep& s) {
    const double alpha = s.negative ? -1 : 1;
    const double *left = at(s.a), *right = at(s.b);
    for (std::uint64_t i = 0; i < s.sizes.m; ++i)
      for (std::uint64_t j = 0; j < s.sizes.n; ++j) {
        double sum = 0;
        for (std::uint64_t x = 0; x < s.sizes.k; ++x)
          sum += left[p.trans_a == Transpose::no ? i * s.a.ld + x : x * s.a.ld + i] *
                 right[p.trans_b == Transpose::no ? x * s.b.ld + j : j * s.b.ld + x];
        double& result = at(s.c)[i * s.c.ld + j];
        result = alpha * sum + (s.with_beta ? 3 * result : 0);
      }
  }

  void sums(const StrassenStep& s) {
    const StrassenQuarters& q = s.quarters;
    for (std::uint64_t y = 0; y < q.rows; ++y)
      for (std::uint64_t x = 0; x < q.columns; ++x) {
        const double* const from = at(q.first) + y * q.first.ld + x;
        const bool has12 = y < q.rows12 && x < q.columns12, has21 = y < q.rows21 && x < q.columns21;
        const double q11 = from[0], q12 = has12 ? from[q.offset12] : 0, q21 = has21 ? from[q.offset21] : 0,
                     q22 = has12 && has21 ? from[q.offset22()] : 0;
        const bool of_b = s.kind == Kind::sums_of_b;
        const double s1 = of_b ? q12 - q11 : q21 + q22, s2 = of_b ? q22 - s1 : s1 - q11;
        const double values[] = {s1, s2, of_b ? q22 - q12 : q11 - q21, of_b ? s2 - q21 : q12 - s2};
        for (std::uint64_t i = 0; i < 4; ++i) at(s.slots)[i * s.slot + y * s.slots.ld + x] = values[i];
      }
  }

  void merge(const StrassenStep& s) {
    const StrassenQuarters& q = s.quarters;
    for (std::uint64_t y = 0; y < q.rows; ++y)
      for (std::uint64_t x = 0; x < q.columns; ++x) {
        const double* const from = at(s.slots) + y * s.slots.ld + x;
        double* const to = at(q.first) + y * q.first.ld + x;
        const double p6 = from[0], p7 = from[s.slot], p1 = from[2 * s.slot], p5 = from[3 * s.slot];
        to[0] += p1;
        if (x < q.columns12) to[q.offset12] += p1 + p6 + p5;
        if (y < q.rows21) to[q.offset21] += p1 + p6 + p7;
        if (x < q.columns12 && y < q.rows21)
          to[q.offset22()] = (s.with_beta ? 3 * to[q.offset22()] : 0) + p1 + p6 + p7 + p5;
      }
  }

  void run(const StrassenSchedule& schedule) {
    for (const StrassenStep& step : schedule.steps) {
      if (step.kind == Kind::product)
        product(step);
      else if (step.kind == Kind::merge)
        merge(step);
      else
        sums(step);
    }
  }
};

// Whether the steps of C = A B + 3 C give the exact result.
bool is_exact(std::uint64_t m, std::uint64_t n, std::uint64_t k, Transpose trans_a, Transpose trans_b,
              unsigned levels) {
  using verification::DataKind;
  const GemmProblem p =
      strassen_product({.type = DataType::f64, .trans_a = trans_a, .trans_b = trans_b, .m = m, .n = n, .k = k});
  const StrassenSchedule schedule = strassen_schedule(p, levels);
  HostSchedule host{.p = p,
                    .a = verification::random_data<double>(m * k, DataKind::integers, 1),
                    .b = verification::random_data<double>(k * n, DataKind::integers, 2),
                    .c = verification::random_data<double>(m * n, DataKind::integers, 3),
                    .workspace = std::vector<double>(schedule.workspace_elements, NAN)};
  std::vector<double> expected = host.c;
  HostSchedule plain = host;
  plain.run(strassen_schedule(p, 0));
  host.run(schedule);
  return host.c == plain.c;
}

}  // namespace

TEST_SUITE("strassen schedule") {
  TEST_CASE("every size, transpose and number of levels gives the exact product") {
    constexpr std::uint64_t sizes[][3] = {{4, 4, 4}, {5, 4, 4}, {4, 5, 7}, {7, 7, 5}, {13, 30, 9}, {16, 33, 50}};
    for (const auto& size : sizes)
      for (const Transpose trans_a : {Transpose::no, Transpose::yes})
        for (const Transpose trans_b : {Transpose::no, Transpose::yes})
          for (const unsigned levels : {1U, 2U}) {
            CAPTURE(size[0]);
            CAPTURE(levels);
            CHECK(is_exact(size[0], size[1], size[2], trans_a, trans_b, levels));
          }
    CHECK(is_exact(17, 40, 19, Transpose::yes, Transpose::no, 4));
    CHECK(is_exact(530, 40, 515, Transpose::no, Transpose::yes, 2));  // halves are rounded up to whole vectors
  }

  TEST_CASE("the workspace stays below three times the largest matrix") {
    for (const unsigned levels : {1U, 2U, 3U, 4U}) {
      const GemmProblem p = strassen_product({.m = 4096, .n = 4096, .k = 4096});
      const std::uint64_t elements = strassen_schedule(p, levels).workspace_elements;
      CHECK(elements < 3 * 4096 * 4096);
      CHECK(elements == strassen_levels(typical_gpu(), {.product = p, .levels = levels})[levels].workspace_bytes / 4);
    }
  }

  TEST_CASE("levels that pay, forced levels, and impossible levels") {
    DeviceProfile h200 = typical_nvidia_gpu();
    h200.platform_name = "NVIDIA CUDA";
    h200.vendor_name = "NVIDIA Corporation";
    h200.name = "NVIDIA H200";
    h200.architecture = "sm_90";
    h200.compute_units = 132;
    h200.clock_mhz = 1980;
    h200.fp64_tensor_cores = true;
    h200.max_allocation_bytes = std::uint64_t{35} << 30;
    const auto levels_of = [](const DeviceProfile& device, const StrassenProblem& problem) {
      return explain_strassen(device, problem).configuration["levels"];
    };
    const auto square = [](std::uint64_t size, DataType type) {
      return StrassenProblem{.product = {.type = type, .m = size, .n = size, .k = size}};
    };
    CHECK(levels_of(h200, square(1024, DataType::f32)) == 0);
    for (const DataType type : {DataType::f32, DataType::f64}) {
      const auto chosen = static_cast<std::size_t>(levels_of(h200, square(16384, type)));
      REQUIRE(chosen >= 1);
      const std::vector<StrassenLevel> large = strassen_levels(h200, square(16384, type));
      CHECK(large[chosen].seconds * 1.03 < large[chosen - 1].seconds);
    }
    StrassenProblem bounded = square(16384, DataType::f32);
    bounded.max_workspace_bytes = 1 << 20;
    CHECK(levels_of(h200, bounded) == 0);
    CHECK(mentions(strassen_levels(h200, bounded)[1].why_not, "max_workspace_bytes"));
    CHECK(mentions(explain_strassen(h200, bounded).candidates[1].reason, "max_workspace_bytes"));
    CHECK_FALSE(explain_strassen(h200, bounded).candidates[1].supported);
    CHECK(
        mentions(explain_strassen(typical_gpu(), {.product = {.m = 4096, .n = 4096, .k = 4096}}).reason, "is unknown"));
    const GemmProblem small{.m = 3, .n = 40, .k = 40};
    CHECK(levels_of(h200, {.product = small, .levels = 1}) == 1);
    CHECK(mentions(expect_error(ErrorCode::invalid_configuration,
                                [&] { return explain_strassen(h200, {.product = small, .levels = 2}); }),
                   "halve a size of 3"));
    expect_error(ErrorCode::invalid_configuration,
                 [&] { return explain_strassen(h200, {.product = small, .levels = 5}); });
    expect_error(ErrorCode::out_of_memory, [&] {
      return explain_strassen(typical_gpu(), {.product = {.m = 65536, .n = 65536, .k = 65536}, .levels = 1});
    });
    CHECK(levels_of(h200, {.product = {.m = 0, .n = 4, .k = 4}, .levels = 2}) == 0);
  }

  TEST_CASE("the error factor is that of a plain product at level 0 and grows with levels") {
    CHECK(strassen_error_factor(100, 0) == 10000);
    CHECK(strassen_error_factor(100, 1) == 18 * (50 * 50 + 300) - 600);
    CHECK(strassen_error_factor(101, 1) == 18 * (51 * 51 + 306) - 606);
    CHECK(strassen_error_factor(0, 7) == 0);
    const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    CHECK(strassen_error_factor(largest, 1) > 4.5 * strassen_error_factor(largest, 0) * 0.999);
    CHECK(strassen_error_factor(3, 64) == doctest::Approx(7 * std::pow(18.0, 64)));
    CHECK(std::isinf(strassen_error_factor(3, std::numeric_limits<unsigned>::max())));
  }
}

}  // namespace tilewright::test
