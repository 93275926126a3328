// The triangle that a rank-k update should give, in higher precision. Matrices of the reference are dense.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "kernels/host_type.hpp"
#include "verification/common/matrix_view.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::verification {

/// A number in higher precision than the sums of R. Not std::complex, whose multiplication treats NaN specially.
template <class R>
struct WideParts {
  Wide<R> re{0}, im{0};
};

template <class R>
WideParts<R> widened(R x) {
  return {static_cast<Wide<R>>(x), 0};
}
template <class R>
WideParts<R> widened(const std::complex<R>& x) {
  return {static_cast<Wide<R>>(x.real()), static_cast<Wide<R>>(x.imag())};
}

/// A value and the sum of the magnitudes of its terms, for each part.
template <class R>
struct BoundedNumber {
  WideParts<R> value, magnitude;
};

template <class R>
void add_product(BoundedNumber<R>& sum, const WideParts<R>& x, const WideParts<R>& y, const WideParts<R>& y_magnitude) {
  sum.value.re += x.re * y.re - x.im * y.im;
  sum.value.im += x.re * y.im + x.im * y.re;
  sum.magnitude.re += std::abs(x.re) * y_magnitude.re + std::abs(x.im) * y_magnitude.im;
  sum.magnitude.im += std::abs(x.re) * y_magnitude.im + std::abs(x.im) * y_magnitude.re;
}

template <class R>
WideParts<R> magnitude_of(const WideParts<R>& x) {
  return {std::abs(x.re), std::abs(x.im)};
}

/// An n x k matrix in higher precision, by rows.
template <class R>
class WideRows {
 public:
  WideRows() = default;

  /// Copies a view, or its conjugate.
  template <class T>
  WideRows(const MatrixView<T>& view, std::uint64_t rows, std::uint64_t columns, bool conjugates) : columns_(columns) {
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t p = 0; p < columns; ++p) {
        WideParts<R>& element = elements_.emplace_back(widened(view(i, p)));
        if (conjugates) element.im = -element.im;
      }
  }

  std::uint64_t columns() const { return columns_; }
  const WideParts<R>* row(std::uint64_t i) const { return elements_.data() + i * columns_; }

 private:
  std::uint64_t columns_ = 0;
  std::vector<WideParts<R>> elements_{};
};

/// alpha X Y^T, one of the terms that are added to C.
template <class R>
struct RankKTermRows {
  WideParts<R> alpha;
  const WideRows<R>* x;
  const WideRows<R>* y;
};

/// Adds a term's element (i, j), with the magnitudes of its summands.
template <class R>
void add_term(BoundedNumber<R>& sum, const RankKTermRows<R>& term, std::uint64_t i, std::uint64_t j) {
  BoundedNumber<R> product;
  const WideParts<R>*x = term.x->row(i), *y = term.y->row(j);
  for (std::uint64_t p = 0; p < term.x->columns(); ++p) add_product<R>(product, x[p], y[p], magnitude_of<R>(y[p]));
  add_product<R>(sum, term.alpha, product.value, product.magnitude);
}

}  // namespace tilewright::verification
