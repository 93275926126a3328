// The reference of complex products: it passes right results and finds wrong ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "verification/common/random_data.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::verification {
namespace {

/// op(X)(i, j).
template <class T>
std::complex<T> element(const MatrixView<std::complex<T>>& view, Transpose transpose, std::uint64_t i,
                        std::uint64_t j) {
  return transpose == Transpose::conjugate_transpose ? std::conj(view(i, j)) : view(i, j);
}

template <class T>
struct ComplexExample {
  using Element = std::complex<T>;

  ComplexExample(std::uint64_t m, std::uint64_t n, std::uint64_t k, DataKind kind = DataKind::uniform)
      : a(random_data<Element>(m * k, kind, 1)),
        b(random_data<Element>(k * n, kind, 2)),
        c(random_data<Element>(m * n, kind, 3)) {
    call.problem.type = detail::HostType<Element>::type;
    call.problem.m = m;
    call.problem.n = n;
    call.problem.k = k;
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
  }

  /// Computes the definition directly.
  std::vector<Element> result() const {
    const GemmProblem& p = call.problem;
    std::vector<Element> found = c;
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) {
        Element sum = 0;
        for (std::uint64_t l = 0; l < p.k; ++l)
          sum += element<T>(view_a(call), p.trans_a, i, l) * element<T>(view_b(call), p.trans_b, l, j);
        Element& at = found[p.layout == Layout::row_major ? i * p.n + j : j * p.m + i];
        at = scalar_of<Element>(call.alpha) * sum + scalar_of<Element>(call.beta) * at;
      }
    return found;
  }

  std::vector<Element> a, b, c;
  HostGemm<Element> call;
};

}  // namespace

TEST_CASE_TEMPLATE("complex check: right results pass for every layout, transpose and scalar", T, float, double) {
  constexpr Transpose transposes[] = {Transpose::no, Transpose::yes, Transpose::conjugate_transpose};
  constexpr std::complex<double> scalars[][2] = {{1, 0}, {{0, 1}, {1, -2}}, {{2, -1}, 3}};
  for (const DataKind kind : {DataKind::uniform, DataKind::integers})
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Transpose trans_a : transposes)
        for (const Transpose trans_b : transposes)
          for (const auto& [alpha, beta] : scalars) {
            ComplexExample<T> example(5, 20, 30, kind);
            example.call.problem.layout = layout;
            example.call.problem.trans_a = trans_a;
            example.call.problem.trans_b = trans_b;
            example.call.alpha = alpha;
            example.call.beta = beta;
            const auto result = example.result();
            using Check = GemmCheck<std::complex<T>>;
            const Comparison comparison = Check(example.call)(result.data());
            CHECK(comparison.passed());
            CHECK(comparison.compared == 5 * 20);
            if (kind == DataKind::integers)
              CHECK(Check(example.call, Tolerance::exact)(result.data()).error_over_bound == 0);
          }
}

TEST_CASE_TEMPLATE("complex check: one wrong part of an element fails and is named", T, float, double) {
  using Element = std::complex<T>;
  const ComplexExample<T> example(20, 31, 10);
  const GemmCheck<Element> check(example.call);
  CHECK(check.complete());
  std::vector<Element> result = example.result();
  Element& at = result[19 * 31 + 17];
  const Element right = at;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  for (const Element& wrong : {right + T{1} / 64, right + Element(0, T{1} / 64), std::conj(right), -right,
                               Element(right.real(), nan), Element(nan, right.imag())}) {
    at = wrong;
    const Comparison comparison = check(result.data());
    CHECK_FALSE(comparison.passed());
    CHECK(comparison.row == 19);
    CHECK(comparison.column == 17);
  }
  at = right;
  CHECK(check(result.data()).passed());
}

TEST_CASE_TEMPLATE("complex check: an infinity passes for a NaN only if kernels scale the sums", T, float, double) {
  using Element = std::complex<T>;
  constexpr T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  ComplexExample<T> example(1, 1, 1);
  example.a = {{1, 1}};
  example.b = {{infinity, 1}};
  example.call.alpha = {2, 1};
  const auto passes = [&](const Element& result) { return GemmCheck<Element>(example.call)(&result).passed(); };
  const auto expect_only = [&](const Element& right) {
    for (const T re : {T{0}, infinity, nan})
      for (const T im : {T{0}, infinity, nan}) {
        CAPTURE(re);
        CAPTURE(im);
        const bool is_re = re == right.real() || (std::isnan(re) && std::isnan(right.real()));
        CHECK(passes({re, im}) == (is_re && im == right.imag()));
      }
  };
  expect_only({nan, infinity});  // (1 + i) (infinity + infinity i)
  example.call.problem.layout = Layout::column_major;
  expect_only({infinity, infinity});  // (1 + 3 i) (infinity + i)
  example.call.scales_sums = true;
  for (const T re : {T{0}, infinity, nan})
    for (const T im : {T{0}, infinity, nan}) CHECK(passes({re, im}) == (re != 0 && im != 0));
  // A real alpha multiplies no imaginary parts.
  example.call.alpha = 2;
  expect_only({infinity, infinity});
}

TEST_CASE("complex check: only tensor_f64 scales the sums, where it reads operands as they are stored") {
  const auto of_tiles = [](std::int64_t tile_n, std::int64_t warp) {
    return Explanation{.variant = "tensor_f64",
                       .configuration = {{"tile_m", 64},
                                         {"tile_n", tile_n},
                                         {"tile_k", 16},
                                         {"warp_m", warp},
                                         {"warp_n", warp},
                                         {"stages", 3},
                                         {"swizzle", 8},
                                         {"slice_k", 0}}};
  };
  CHECK(scales_sums(of_tiles(64, 32)));
  CHECK_FALSE(scales_sums(of_tiles(16, 16)));  // B is expanded
  CHECK_FALSE(scales_sums({.variant = "naive", .configuration = {{"wg_m", 8}, {"wg_n", 32}}}));
}

TEST_CASE("complex check: in a sampled product every element still counts") {
  using Element = std::complex<double>;
  ComplexExample<double> example(300, 600, 500);
  std::fill(example.a.begin(), example.a.end(), Element(1, 2));
  std::fill(example.b.begin(), example.b.end(), Element(2, -1));
  const GemmCheck<Element> check(example.call);
  CHECK_FALSE(check.complete());
  std::vector<Element> result(300 * 600, Element(4, 3) * 500.0);
  CHECK(check(result.data()).passed());
  result[200 * 600 + 301] += Element(0, 1e-9);
  CHECK_FALSE(check(result.data()).passed());
}

}  // namespace tilewright::verification
