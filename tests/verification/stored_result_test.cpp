// The reference for results that are stored in fewer bits than they are computed in: one rounding to nearest is right,
// anything less is found.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "verification/common/random_data.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::verification {
namespace {

using detail::Half;
using Halves = std::vector<Half>;

struct Example {
  Example(std::uint64_t m, std::uint64_t n, std::uint64_t k, DataKind kind)
      : a(random_data<Half>(m * k, kind, 1)), b(random_data<Half>(k * n, kind, 2)), c(m * n) {
    call.problem = {.type = DataType::f16, .m = m, .n = n, .k = k};
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
  }

  // The product with sums in Real, each rounded by `store`.
  template <class Real, class Store>
  Halves product(const Store& store) const {
    const GemmProblem& p = call.problem;
    Halves result(p.m * p.n);
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) {
        auto sum = static_cast<Real>(0);
        for (std::uint64_t l = 0; l < p.k; ++l)
          sum = static_cast<Real>(sum + static_cast<float>(a[i * p.k + l]) * static_cast<float>(b[l * p.n + j]));
        result[i * p.n + j] = store(static_cast<double>(sum));
      }
    return result;
  }

  bool passes(const Halves& result, Tolerance tolerance = Tolerance::rounding) const {
    return GemmCheck<Half>(call, tolerance)(result.data()).passed();
  }

  Halves a, b, c;
  HostGemm<Half> call;
};

Half nearest(double value) { return Half(value); }

Half towards_zero(double value) {
  const Half half(value);
  if (std::abs(static_cast<double>(half)) <= std::abs(value)) return half;
  return Half::from_bits(static_cast<std::uint16_t>(half.bits() - 1));
}

// Products of one term whose value is `value`, stored as `result`.
bool passes(double left, double right, Half result) {
  Example example(1, 1, 1, DataKind::positive);
  example.a[0] = Half(left);
  example.b[0] = Half(right);
  return example.passes({result});
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_SUITE("stored results") {
  TEST_CASE("sums in single precision that are rounded once pass, sums in half precision do not") {
    for (const DataKind kind : {DataKind::uniform, DataKind::positive, DataKind::integers}) {
      const Example example(7, 30, 500, kind);
      CHECK(example.passes(example.product<float>(nearest)));
      if (kind == DataKind::positive) CHECK_FALSE(example.passes(example.product<Half>(nearest)));
    }
  }

  TEST_CASE("rounding towards zero is found") {
    const Example example(20, 20, 3, DataKind::uniform);
    CHECK(example.passes(example.product<float>(nearest)));
    CHECK_FALSE(example.passes(example.product<float>(towards_zero)));
  }

  TEST_CASE("where sums are exact, the stored result is one half and no other") {
    Example example(1, 1, 3, DataKind::integers);
    example.a = {Half(2048), Half(1), Half(0)};
    example.b = {Half(1), Half(1), Half(1)};
    CHECK(example.passes({Half(2048)}, Tolerance::exact));  // 2049 is a tie, 2048 is even
    CHECK_FALSE(example.passes({Half(2050)}, Tolerance::exact));
    example.a[1] = Half(3);
    CHECK(example.passes({Half(2052)}, Tolerance::exact));
    CHECK_FALSE(example.passes({Half(2050)}, Tolerance::exact));
  }

  TEST_CASE("what leaves the range is an infinity of its sign, and nothing else is") {
    CHECK(passes(300, 300, Half(infinity)));
    CHECK(passes(-300, 300, Half(-infinity)));
    CHECK_FALSE(passes(300, 300, Half(-infinity)));
    CHECK_FALSE(passes(300, 300, Half(65504)));
    CHECK_FALSE(passes(300, 300, Half(std::numeric_limits<double>::quiet_NaN())));
    CHECK_FALSE(passes(200, 200, Half(infinity)));
    CHECK(passes(255.875, 256, Half(65504)));
    CHECK_FALSE(passes(255.5, 256, Half(infinity)));
  }

  TEST_CASE("results below the normal range are right to half a step") {
    CHECK(passes(0x1p-14, 0.25 + 0x1p-12, Half(0x1p-16)));
    CHECK(passes(0x1p-24, 0.5, Half(0)));
    CHECK(passes(0x1p-24, 0.75, Half(0x1p-24)));
    CHECK_FALSE(passes(0x1p-24, 0.75, Half(0)));
    CHECK_FALSE(passes(0x1p-14, 0.25, Half(0)));
  }

  TEST_CASE("in a large product an infinity is found though sums of magnitudes leave the range") {
    // More elements than are compared one by one, in groups whose magnitudes add up to more than a half holds.
    Example example(200, 1 << 16, 1, DataKind::uniform);
    for (Half& value : example.a) value = Half(200);
    for (Half& value : example.b) value = Half(200);
    Halves result(example.c.size(), Half(200 * 200));
    const GemmCheck<Half> check(example.call);
    REQUIRE_FALSE(check.complete());
    CHECK(check(result.data()).passed());
    for (const std::size_t place : {std::size_t{0}, result.size() / 3 + 5, result.size() - 1}) {
      const Half right = result[place];
      result[place] = Half(infinity);
      CHECK_FALSE(check(result.data()).passed());
      result[place] = right;
    }
  }
}

}  // namespace tilewright::verification
