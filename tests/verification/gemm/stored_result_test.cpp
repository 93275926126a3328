// The reference for results stored in fewer bits than the computation uses. A single rounding to nearest passes; any
// less accurate result is found.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "verification/common/random_data.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::verification {
namespace {

using detail::Bfloat16;
using detail::Half;

template <class T>
struct Example {
  Example(std::uint64_t m, std::uint64_t n, std::uint64_t k, DataKind kind)
      : a(random_data<T>(m * k, kind, 1)), b(random_data<T>(k * n, kind, 2)), c(m * n) {
    call.problem = {.type = detail::HostType<T>::type, .m = m, .n = n, .k = k};
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
  }

  // The product with sums in Real, each rounded by `store`.
  template <class Real, class Store>
  std::vector<T> product(const Store& store) const {
    const GemmProblem& p = call.problem;
    std::vector<T> result(p.m * p.n);
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) {
        auto sum = static_cast<Real>(0);
        for (std::uint64_t l = 0; l < p.k; ++l)
          sum = static_cast<Real>(sum + static_cast<float>(a[i * p.k + l]) * static_cast<float>(b[l * p.n + j]));
        result[i * p.n + j] = store(static_cast<double>(sum));
      }
    return result;
  }

  bool passes(const std::vector<T>& result, Tolerance tolerance = Tolerance::rounding) const {
    return GemmCheck<T>(call, tolerance)(result.data()).passed();
  }

  std::vector<T> a, b, c;
  HostGemm<T> call;
};

template <class T>
T nearest(double value) {
  return T(value);
}

template <class T>
T towards_zero(double value) {
  const T rounded(value);
  if (std::abs(static_cast<double>(rounded)) <= std::abs(value)) return rounded;
  return T::from_bits(static_cast<std::uint16_t>(rounded.bits() - 1));
}

// Whether the one-term product left * right passes if it is stored as `result`.
bool passes(double left, double right, Half result) {
  Example<Half> example(1, 1, 1, DataKind::positive);
  example.a[0] = Half(left);
  example.b[0] = Half(right);
  return example.passes({result});
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_SUITE("stored results") {
  TEST_CASE_TEMPLATE("single-precision sums that are rounded once pass, sums in fewer bits fail", T, Half, Bfloat16) {
    for (const DataKind kind : {DataKind::uniform, DataKind::positive, DataKind::integers}) {
      const Example<T> example(7, 30, 500, kind);
      CHECK(example.passes(example.template product<float>(nearest<T>)));
      if (kind == DataKind::positive) CHECK_FALSE(example.passes(example.template product<T>(nearest<T>)));
    }
  }

  TEST_CASE_TEMPLATE("rounding towards zero is found", T, Half, Bfloat16) {
    const Example<T> example(20, 20, 3, DataKind::uniform);
    CHECK(example.passes(example.template product<float>(nearest<T>)));
    CHECK_FALSE(example.passes(example.template product<float>(towards_zero<T>)));
  }

  TEST_CASE("with exact sums only one stored half is right") {
    Example<Half> example(1, 1, 3, DataKind::integers);
    example.a = {Half(2048), Half(1), Half(0)};
    example.b = {Half(1), Half(1), Half(1)};
    CHECK(example.passes({Half(2048)}, Tolerance::exact));  // 2049 is a tie, 2048 is even
    CHECK_FALSE(example.passes({Half(2050)}, Tolerance::exact));
    example.a[1] = Half(3);
    CHECK(example.passes({Half(2052)}, Tolerance::exact));
    CHECK_FALSE(example.passes({Half(2050)}, Tolerance::exact));
  }

  TEST_CASE("a value out of range must be an infinity with its sign, other values must not") {
    CHECK(passes(300, 300, Half(infinity)));
    CHECK(passes(-300, 300, Half(-infinity)));
    CHECK_FALSE(passes(300, 300, Half(-infinity)));
    CHECK_FALSE(passes(300, 300, Half(65504)));
    CHECK_FALSE(passes(300, 300, Half(std::numeric_limits<double>::quiet_NaN())));
    CHECK_FALSE(passes(200, 200, Half(infinity)));
    CHECK(passes(255.875, 256, Half(65504)));
    CHECK_FALSE(passes(255.5, 256, Half(infinity)));
  }

  TEST_CASE("results below the normal range may err by half a step") {
    CHECK(passes(0x1p-14, 0.25 + 0x1p-12, Half(0x1p-16)));
    CHECK(passes(0x1p-24, 0.5, Half(0)));
    CHECK(passes(0x1p-24, 0.75, Half(0x1p-24)));
    CHECK_FALSE(passes(0x1p-24, 0.75, Half(0)));
    CHECK_FALSE(passes(0x1p-14, 0.25, Half(0)));
  }

  TEST_CASE_TEMPLATE("single-precision C is not rounded to the type of A and B", T, Half, Bfloat16) {
    const Example<T> example(20, 20, 3, DataKind::uniform);
    const std::vector<float> initial(example.c.size());
    HostGemm<T, float> call{
        .problem = example.call.problem, .a = example.call.a, .b = example.call.b, .c = initial.data()};
    call.problem.type_c = DataType::f32;
    const GemmCheck<T, float> check(call);
    std::vector<float> sums, rounded;
    for (std::uint64_t i = 0; i < 20; ++i)
      for (std::uint64_t j = 0; j < 20; ++j) {
        float sum = 0;
        for (std::uint64_t l = 0; l < 3; ++l)
          sum += static_cast<float>(example.a[i * 3 + l]) * static_cast<float>(example.b[l * 20 + j]);
        sums.push_back(sum);
        rounded.push_back(T(sum));
      }
    CHECK(check(sums.data()).passed());
    CHECK_FALSE(check(rounded.data()).passed());
  }

  TEST_CASE("bfloat16 has the range of single precision and fewer significant bits") {
    const auto passes_as = [](double left, double right, double result) {
      Example<Bfloat16> example(1, 1, 1, DataKind::positive);
      example.a[0] = Bfloat16(left);
      example.b[0] = Bfloat16(right);
      return example.passes({Bfloat16(result)});
    };
    CHECK(passes_as(0x1p127, 2, infinity));
    CHECK_FALSE(passes_as(0x1p126, 2, infinity));
    CHECK(passes_as(0x1p-100, 0x1.8p-33, 0x1p-132));  // 1.5 steps are as near to 1 as to 2
    CHECK_FALSE(passes_as(257, 1, 260));              // 257 is stored as 256
    CHECK(passes_as(257, 1, 256));
  }

  TEST_CASE("in a large product an infinity is found although sums of magnitudes overflow") {
    // More elements than are compared individually, in groups whose sums of magnitudes exceed the range of a half.
    Example<Half> example(200, 1 << 16, 1, DataKind::uniform);
    for (Half& value : example.a) value = Half(200);
    for (Half& value : example.b) value = Half(200);
    std::vector<Half> result(example.c.size(), Half(200 * 200));
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
