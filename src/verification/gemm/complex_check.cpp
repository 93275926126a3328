// Check of complex products. The reference uses the plain formula, with real and imaginary parts multiplied separately.
// An alpha with an imaginary part is folded into B, or into A for column-major matrices, as most kernels do. Only if
// HostGemm::scales_sums says that the kernels fold it into the product, an infinity is accepted for a NaN, and the
// reverse.
//
// The error bound of each part of C is that of a real product of 2k terms, gamma_(2k + 2) |alpha| |A| |B| + gamma_2
// |beta| |C|, where magnitudes are sums of products of the magnitudes of parts. An alpha with an imaginary part makes
// each element of alpha B a sum of two products, which adds two roundings: gamma_(2k + 4). A beta with an imaginary
// part makes beta C such a sum, to which the product is added: another gamma_4.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>

#include "gemm/variant.hpp"
#include "verification/common/parallel.hpp"
#include "verification/common/row_sample.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::verification {
namespace {

constexpr std::uint64_t seed = 2017;
constexpr std::uint64_t max_rows = 64;

/// Multiplications of elements that a reference does in about a second.
template <class R>
constexpr double max_products = std::is_same_v<Wide<R>, double> ? 0x1p28 : 0x1p26;

/// A complex number, or the magnitudes of its parts. Not std::complex, whose multiplication treats NaN specially.
template <class R>
struct Pair {
  Wide<R> re{0}, im{0};
};

template <class R>
struct Value {
  Pair<R> value, magnitude;
};

template <class R>
Value<R> times(const Value<R>& x, const Value<R>& y) {
  return {{x.value.re * y.value.re - x.value.im * y.value.im, x.value.re * y.value.im + x.value.im * y.value.re},
          {x.magnitude.re * y.magnitude.re + x.magnitude.im * y.magnitude.im,
           x.magnitude.re * y.magnitude.im + x.magnitude.im * y.magnitude.re}};
}

// Multiplies by a call's scalar. A real scalar multiplies each part once.
template <class R>
Value<R> times(const std::complex<R>& factor, const Value<R>& x) {
  const Wide<R> re = factor.real(), im = factor.imag();
  if (im != 0) return times<R>({{re, im}, {std::abs(re), std::abs(im)}}, x);
  return {{re * x.value.re, re * x.value.im}, {std::abs(re) * x.magnitude.re, std::abs(re) * x.magnitude.im}};
}

template <class R>
Value<R> value_of(const std::complex<R>& x) {
  const Wide<R> re = x.real(), im = x.imag();
  return {{re, im}, {std::abs(re), std::abs(im)}};
}

// Returns the signed sum of a group of columns in one row.
template <class R>
Value<R> sum_of(const ColumnGroups& groups, std::uint64_t group, const MatrixView<std::complex<R>>& matrix,
                std::uint64_t row) {
  const auto re = [&](std::uint64_t column) { return matrix(row, column).real(); };
  const auto im = [&](std::uint64_t column) { return matrix(row, column).imag(); };
  return {{groups.signed_sum<Wide<R>>(group, re), groups.signed_sum<Wide<R>>(group, im)},
          {groups.magnitude_sum<Wide<R>>(group, re), groups.magnitude_sum<Wide<R>>(group, im)}};
}

std::uint64_t choose_width(const GemmProblem& p, double most) {
  const double products = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  std::uint64_t width = 1;
  while (width < p.n && products / static_cast<double>(width) > most) width *= 2;
  return width;
}

template <class R>
class Reference {
 public:
  using Element = std::complex<R>;

  Reference(const HostGemm<Element>& call, const ColumnGroups& groups, Tolerance tolerance)
      : call_(call), groups_(groups), tolerance_(tolerance), alpha_(scalar_of<Element>(call.alpha)) {
    if (!call_.reads_product()) return;
    const MatrixView<Element> b = view_b(call_);
    b_.resize(groups_.count() * call_.problem.k);
    b_sizes_.resize(groups_.count());
    for (std::uint64_t g = 0; g < groups_.count(); ++g)
      for (std::uint64_t p = 0; p < call_.problem.k; ++p) {
        Value<R> value = conjugated(call_.problem.trans_b, sum_of<R>(groups_, g, b, p));
        b_sizes_[g] += value.magnitude.re + value.magnitude.im;
        b_[g * call_.problem.k + p] = folds() && !folds_into_a() ? times(alpha_, value) : value;
      }
  }

  void row(std::uint64_t row, std::array<Expected<R>, 2>* out) const {
    const std::uint64_t k = call_.reads_product() ? call_.problem.k : 0;
    std::vector<Value<R>> a(k);
    Wide<R> a_size{0};
    for (std::uint64_t p = 0; p < k; ++p) {
      a[p] = conjugated(call_.problem.trans_a, value_of(view_a(call_)(row, p)));
      a_size += a[p].magnitude.re + a[p].magnitude.im;
      if (folds() && folds_into_a()) a[p] = times(alpha_, a[p]);
    }
    for (std::uint64_t g = 0; g < groups_.count(); ++g) {
      Value<R> sum{};
      for (std::uint64_t p = 0; p < k; ++p) {
        const Value<R> term = times(a[p], b_[g * k + p]);
        sum.value.re += term.value.re;
        sum.value.im += term.value.im;
        sum.magnitude.re += term.magnitude.re;
        sum.magnitude.im += term.magnitude.im;
      }
      if (k != 0 && !folds()) sum = times(alpha_, sum);
      out[g] = finish(sum, row, g, k == 0 ? Wide<R>{0} : a_size + b_sizes_[g]);
    }
  }

 private:
  bool folds() const { return alpha_.imag() != 0; }
  bool folds_into_a() const { return call_.problem.layout == Layout::column_major; }

  static Value<R> conjugated(Transpose transpose, Value<R> x) {
    if (transpose == Transpose::conjugate_transpose) x.value.im = -x.value.im;
    return x;
  }

  std::array<Expected<R>, 2> finish(const Value<R>& product, std::uint64_t row, std::uint64_t g, Wide<R> sizes) const {
    Value<R> c{};
    const Element beta = scalar_of<Element>(call_.beta);
    if (call_.reads_c()) c = times(beta, sum_of<R>(groups_, g, view_c(call_.problem, call_.c), row));
    const std::uint64_t terms = 2 * call_.problem.k + (folds() ? 2 : 0);
    const auto part = [&](Wide<R> value, Wide<R> magnitude, Wide<R> c_value, Wide<R> c_magnitude) {
      Expected<R> expected =
          expect(Sums<R>{value, magnitude, c_value, c_magnitude}, R{1}, R{1}, terms, groups_.width(), tolerance_);
      if (call_.problem.k == 0) expected.value = c_value;
      if (tolerance_ == Tolerance::exact) return expected;
      if (beta.imag() != 0) expected.bound += gamma_factor<R>(4) * c_magnitude;
      // Underflow of alpha B times A or the reverse, of sums times alpha, and of beta C.
      const auto smallest = static_cast<Wide<R>>(std::numeric_limits<R>::min());
      const auto factor = static_cast<Wide<R>>(std::abs(alpha_.real()) + std::abs(alpha_.imag()));
      expected.bound +=
          smallest * static_cast<Wide<R>>(groups_.width()) * (4 * sizes + factor * static_cast<Wide<R>>(terms + 2) + 4);
      return expected;
    };
    return {part(product.value.re, product.magnitude.re, c.value.re, c.magnitude.re),
            part(product.value.im, product.magnitude.im, c.value.im, c.magnitude.im)};
  }

  const HostGemm<Element>& call_;
  const ColumnGroups& groups_;
  Tolerance tolerance_;
  Element alpha_;
  std::vector<Value<R>> b_;  // groups x k
  std::vector<Wide<R>> b_sizes_;
};

/// Makes all non-finite values NaN: whether infinities cancel depends on the order of summation in a group, and on
/// whether an alpha with an imaginary part is folded into the product.
template <class Real>
Real without_kind(Real value) {
  return std::isfinite(value) ? value : std::numeric_limits<Real>::quiet_NaN();
}

}  // namespace

bool scales_sums(const Explanation& explanation) {
  const detail::GemmVariant& variant = detail::find_variant<GemmProblem>(explanation.variant);
  return variant.complex_form(detail::values_of(variant, explanation.configuration)) == detail::ComplexForm::reals;
}

template <class R>
GemmCheck<std::complex<R>, std::complex<R>>::GemmCheck(const HostGemm<Element>& call, Tolerance tolerance)
    : problem_(call.problem) {
  const std::uint64_t width = choose_width(problem_, max_products<R>);
  const bool any_kind = call.scales_sums && scalar_of<Element>(call.alpha).imag() != 0;
  parts_.push_back({all_rows(problem_.m), ColumnGroups(problem_.n, width, seed), any_kind || width > 1, {}});
  if (width > 1) parts_.push_back({sample_rows(problem_.m, max_rows, seed), ColumnGroups(problem_.n), any_kind, {}});
  for (Part& part : parts_) {
    const std::uint64_t count = part.groups.count();
    part.expected.resize(part.rows.size() * count);
    if (count == 0) continue;
    const Reference<R> reference(call, part.groups, tolerance);
    parallel_for(part.rows.size(), [&](std::uint64_t r) { reference.row(part.rows[r], &part.expected[r * count]); });
    if (!part.any_kind) continue;
    for (auto& expected : part.expected)
      for (Expected<R>& of_part : expected) of_part.value = without_kind(of_part.value);
  }
}

template <class R>
Comparison GemmCheck<std::complex<R>, std::complex<R>>::operator()(const Element* c) const {
  const MatrixView<Element> view = view_c(problem_, c);
  Comparison worst;
  worst.error_over_bound = -1;
  for (const Part& part : parts_)
    for (std::uint64_t r = 0; r < part.rows.size(); ++r)
      for (std::uint64_t g = 0; g < part.groups.count(); ++g) {
        const Pair<R> sum = sum_of<R>(part.groups, g, view, part.rows[r]).value;
        const std::array<Wide<R>, 2> found{sum.re, sum.im};
        ++worst.compared;
        for (std::size_t i = 0; i < found.size(); ++i) {
          const auto result = part.any_kind ? without_kind(found[i]) : found[i];
          const Expected<R>& expected = part.expected[r * part.groups.count() + g][i];
          const double ratio = error_over_bound(expected, result);
          if (ratio <= worst.error_over_bound) continue;
          worst = {ratio,
                   part.rows[r],
                   part.groups.first_column(g),
                   part.groups.width(),
                   static_cast<double>(result),
                   static_cast<double>(expected.value),
                   worst.compared};
        }
      }
  worst.error_over_bound = std::max(worst.error_over_bound, 0.0);
  return worst;
}

template class GemmCheck<std::complex<float>, std::complex<float>>;
template class GemmCheck<std::complex<double>, std::complex<double>>;

}  // namespace tilewright::verification
