// The reference of products: it passes right results and finds wrong ones.
#include "verification/gemm/gemm_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "verification/common/random_data.hpp"
#include "verification/common/row_sample.hpp"
#include "verification/gemm/gemm_reference.hpp"

namespace tilewright::verification {
namespace {

template <class T>
constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

/// C in the type's own precision, directly by the definition.
template <class T>
std::vector<T> plain_gemm(const HostGemm<T>& call) {
  const GemmProblem& p = call.problem;
  std::vector<T> c(call.c, call.c + p.m * p.n);
  const MatrixView<T> a = view_a(call);
  const MatrixView<T> b = view_b(call);
  for (std::uint64_t i = 0; i < p.m; ++i) {
    for (std::uint64_t j = 0; j < p.n; ++j) {
      T sum = 0;
      for (std::uint64_t l = 0; l < p.k; ++l) sum += a(i, l) * b(l, j);
      T& element = c[p.layout == Layout::row_major ? i * p.n + j : j * p.m + i];
      const T product = call.reads_product() ? scalar_of<T>(call.alpha) * sum : T{0};
      element = product + (call.reads_c() ? scalar_of<T>(call.beta) * element : T{0});
    }
  }
  return c;
}

/// Operands that outlive the call.
template <class T>
struct Example {
  Example(std::uint64_t m, std::uint64_t n, std::uint64_t k, DataKind kind = DataKind::uniform)
      : a(random_data<T>(m * k, kind, 1)), b(random_data<T>(k * n, kind, 2)), c(random_data<T>(m * n, kind, 3)) {
    call.problem.type = detail::HostType<T>::type;
    call.problem.m = m;
    call.problem.n = n;
    call.problem.k = k;
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
  }

  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> c;
  HostGemm<T> call;
};

TEST_CASE_TEMPLATE("check: right results pass for every layout, transpose and scalar", T, float, double) {
  for (const DataKind kind : {DataKind::uniform, DataKind::positive, DataKind::integers}) {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      for (int transposes = 0; transposes < 4; ++transposes) {
        for (const double alpha : {0.0, 1.0, -0.7}) {
          Example<T> example(7, 70, 300, kind);
          example.call.problem.layout = layout;
          example.call.problem.trans_a = (transposes & 1) != 0 ? Transpose::yes : Transpose::no;
          example.call.problem.trans_b = (transposes & 2) != 0 ? Transpose::yes : Transpose::no;
          example.call.alpha = alpha;
          example.call.beta = alpha - 1;
          const std::vector<T> result = plain_gemm(example.call);
          const Comparison comparison = GemmCheck<T>(example.call)(result.data());
          CHECK(comparison.passed());
          CHECK(comparison.compared == 7 * 70);
          if (kind == DataKind::integers && alpha != -0.7) {
            CHECK(GemmCheck<T>(example.call, Tolerance::exact)(result.data()).error_over_bound == 0);
          }
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("check: one wrong element fails and is named", T, float, double) {
  const Example<T> example(40, 90, 30);
  const GemmCheck<T> check(example.call);
  std::vector<T> result = plain_gemm(example.call);
  T& element = result[39 * 90 + 64];
  const T right = element;
  for (const T wrong : {right + T{1} / 64, nan<T>, infinity<T>, -infinity<T>}) {
    element = wrong;
    const Comparison comparison = check(result.data());
    CHECK_FALSE(comparison.passed());
    CHECK(comparison.row == 39);
    CHECK(comparison.column == 64);
  }
  element = right;
  CHECK(check(result.data()).passed());
  result.assign(result.size(), nan<T>);
  CHECK_FALSE(check(result.data()).passed());
}

TEST_CASE("check: an exact result must agree in every bit") {
  Example<float> example(5, 6, 7, DataKind::integers);
  std::vector<float> result = plain_gemm(example.call);
  result[8] = std::nextafter(result[8], 1e9F);
  CHECK(GemmCheck<float>(example.call)(result.data()).passed());
  CHECK_FALSE(GemmCheck<float>(example.call, Tolerance::exact)(result.data()).passed());
}

TEST_CASE("check: leading dimensions") {
  Example<double> example(3, 4, 5);
  const std::vector<double> wide_a = random_data<double>(3 * 9, DataKind::uniform, 7);
  example.call.a = wide_a.data();
  example.call.problem.lda = 9;
  example.call.problem.ldc = 6;
  std::vector<double> result(3 * 6, nan<double>);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      double sum = 0;
      for (int l = 0; l < 5; ++l)
        sum += wide_a[static_cast<std::size_t>(i * 9 + l)] * example.b[static_cast<std::size_t>(l * 4 + j)];
      result[static_cast<std::size_t>(i * 6 + j)] = sum;
    }
  }
  CHECK(GemmCheck<double>(example.call)(result.data()).passed());
}

TEST_CASE("check: operands that the BLAS contract does not read are not read") {
  Example<float> example(4, 5, 6);
  std::vector<float> zeros(20);
  example.call.c = nullptr;
  CHECK_FALSE(GemmCheck<float>(example.call)(zeros.data()).passed());
  example.call.a = nullptr;
  example.call.b = nullptr;
  example.call.alpha = 0;
  CHECK(GemmCheck<float>(example.call)(zeros.data()).passed());
  example.call.alpha = nan<double>;
  example.call.problem.k = 0;
  CHECK(GemmCheck<float>(example.call)(zeros.data()).passed());
}

TEST_CASE("check: NaN and infinity must appear unchanged") {
  Example<float> example(3, 3, 3, DataKind::positive);
  example.a[1] = infinity<float>;  // row 0
  example.a[4] = nan<float>;       // row 1
  const GemmCheck<float> check(example.call);
  std::vector<float> result = plain_gemm(example.call);
  CHECK(check(result.data()).passed());
  for (const std::size_t i : {0U, 3U}) {
    const float right = result[i];
    for (const float wrong : {0.0F, -infinity<float>, i == 0 ? nan<float> : infinity<float>}) {
      result[i] = wrong;
      CHECK_FALSE(check(result.data()).passed());
    }
    result[i] = right;
  }
}

TEST_CASE("check: an intermediate overflow is accepted only where it is possible") {
  Example<float> example(1, 1, 3);
  example.a = {1e38F, -1e38F, 1};
  example.b = {10, 10, 1};
  example.call.a = example.a.data();
  example.call.b = example.b.data();
  const GemmCheck<float> check(example.call);
  for (const float result : {1.0F, infinity<float>, -infinity<float>, nan<float>}) CHECK(check(&result).passed());
  const float wrong = 2e38F;
  CHECK_FALSE(check(&wrong).passed());
  example.b = {1, 1, 1};
  const float overflow = infinity<float>;
  CHECK_FALSE(GemmCheck<float>(example.call)(&overflow).passed());
}

TEST_CASE("check: a large product is checked by sampled rows and by sums over all elements") {
  // Integers keep the plain product exact, and a large error exceeds its group's bound.
  constexpr std::size_t size = 2900, depth = 8;
  Example<float> example(size, size, depth, DataKind::integers);
  const GemmCheck<float> check(example.call);
  CHECK_FALSE(check.complete());
  std::vector<float> result(size * size);
  const float *const a = example.a.data(), *const b = example.b.data();
  const auto element_at = [&](std::size_t i, std::size_t j) {
    float sum = 0;
    for (std::size_t l = 0; l < depth; ++l) sum += a[i * depth + l] * b[l * size + j];
    return sum;
  };
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) result[i * size + j] = element_at(i, j);
  CHECK(check(result.data()).passed());
  for (std::size_t i = 0; i < size; i += 323) {
    const std::size_t j = (i * 7 + 5) % size;
    float& element = result[i * size + j];
    element += 100;
    CHECK_FALSE(check(result.data()).passed());
    element = nan<float>;
    CHECK_FALSE(check(result.data()).passed());
    element = infinity<float>;
    CHECK_FALSE(check(result.data()).passed());
    element = element_at(i, j);
  }
  CHECK(check(result.data()).passed());
}

TEST_CASE("check: empty results pass") {
  const Example<float> example(0, 5, 3);
  const Comparison comparison = GemmCheck<float>(example.call)(nullptr);
  CHECK(comparison.passed());
  CHECK(comparison.compared == 0);
}

TEST_CASE("error bound: Higham's formula") {
  const double u = std::ldexp(1.0, -24);
  CHECK(gamma_factor<float>(10) == doctest::Approx(10 * u / (1 - 10 * u)));
  CHECK(gamma_factor<float>(std::uint64_t{1} << 40) > 0);
  Sums<float> sums{3, 5, 7, 11};
  const Expected<float> expected = expect(sums, -2.0F, 3.0F, 8, 1, Tolerance::rounding);
  CHECK(expected.value == -6 + 21);
  CHECK(expected.bound == doctest::Approx(gamma_factor<float>(10) * 10 + gamma_factor<float>(2) * 33));
  const Expected<float> less_exact = expect(sums, -2.0F, 3.0F, 8, 1, Tolerance::rounding, {.factor = 2, .cut = 0x1p-9});
  CHECK(less_exact.bound == doctest::Approx((2 * gamma_factor<float>(10) + 0x1p-9) * 10 + gamma_factor<float>(2) * 33));
}

TEST_CASE("row sample: the ends, tile edges and no duplicates") {
  const std::vector<std::uint64_t> rows = sample_rows(1000, 30, 1);
  CHECK(rows.size() == 30);
  CHECK(rows.front() == 0);
  CHECK(rows.back() == 999);
  for (const std::uint64_t row : {63U, 64U, 127U, 128U, 895U, 896U, 959U, 960U}) {
    CHECK(std::count(rows.begin(), rows.end(), row) == 1);
  }
  CHECK(sample_rows(5, 10, 1) == all_rows(5));
  CHECK(sample_rows(1000, 2, 1) == std::vector<std::uint64_t>{0, 999});
}

TEST_CASE("random data: determined by the seed, and within the range") {
  CHECK(random_data<float>(100, DataKind::uniform, 5) == random_data<float>(100, DataKind::uniform, 5));
  CHECK(random_data<float>(100, DataKind::uniform, 5) != random_data<float>(100, DataKind::uniform, 6));
  double sum = 0;
  for (const float value : random_data<float>(10000, DataKind::uniform, 1)) {
    CHECK(std::abs(value) <= 1);
    sum += value;
  }
  CHECK(std::abs(sum) < 300);
  for (const double value : random_data<double>(1000, DataKind::positive, 1)) {
    CHECK(value > 0);
    CHECK(value <= 1);
  }
  for (const float value : random_data<float>(1000, DataKind::integers, 1)) {
    CHECK(value == std::floor(value));
    CHECK(std::abs(value) <= 4);
  }
}

}  // namespace
}  // namespace tilewright::verification
