// Symmetric or Hermitian positive definite matrices, and Cholesky factors.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "verification/common/precision.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::verification {

/// The conjugate; for a real number, the number itself.
template <class Number>
Number conjugate_of(const Number& x) {
  if constexpr (std::is_floating_point_v<Number>)
    return x;
  else
    return std::conj(x);
}

/// Returns a number times a power of two, as an element.
template <class T>
T scaled_by(const WideNumber<T>& value, int exponent) {
  using Real = detail::Part<T>;
  if constexpr (detail::is_complex_host_type<T>)
    return T(static_cast<Real>(std::ldexp(value.real(), exponent)),
             static_cast<Real>(std::ldexp(value.imag(), exponent)));
  else
    return static_cast<T>(std::ldexp(value, exponent));
}

/// Draws a factor L with a positive diagonal, or with `is_product` the lower triangle of L L^H + I / 8. The rows of a
/// factor are multiplied by the result's `scales`, and the columns of a product too. Right-hand sides of that size have
/// solutions that neither overflow nor vanish. Kinds without scales count as dominant.
template <class T>
LowerTriangle<T> draw_cholesky(RandomStream& random, TriangleKind kind, std::uint64_t n, bool is_product,
                               int min_exponent) {
  using Real = detail::Part<T>;
  constexpr int normal = std::numeric_limits<Real>::min_exponent, most = std::numeric_limits<Real>::max_exponent;
  constexpr int spread = sizeof(Real) == 8 ? 100 : 12;
  LowerTriangle<T> l = draw_triangle<T>(random, TriangleKind::dominant, n, false, min_exponent), result = l;
  const int tiny = (min_exponent + 8) / 2;
  int exponent = 0;
  if (kind == TriangleKind::tiny) exponent = random.between(tiny, std::max(tiny, normal / 2));
  if (kind == TriangleKind::huge) exponent = random.between((most - 24) / 2, (most - 4) / 2);
  std::vector<int> exponents(n);
  for (int& of_row : exponents) {
    if (kind == TriangleKind::scaled) exponent = random.between(-spread, spread);
    if (kind == TriangleKind::any_size) exponent = random.between(min_exponent / 2, (most - 4) / 2);
    of_row = exponent;
  }
  for (std::uint64_t i = 0; i < n; ++i) l(i, i) = std::abs(l(i, i));
  for (std::uint64_t i = 0; i < n; ++i) {
    result.scales[i] = std::ldexp(Real{1}, exponents[i]);
    for (std::uint64_t j = 0; j <= i; ++j) {
      WideNumber<T> value(l(i, j));
      if (is_product) {
        value = WideNumber<T>(i == j ? 0.125 : 0);
        for (std::uint64_t k = 0; k <= j; ++k) value += WideNumber<T>(l(i, k)) * conjugate_of(WideNumber<T>(l(j, k)));
      }
      result(i, j) = scaled_by<T>(value, exponents[i] + (is_product ? exponents[j] : 0));
    }
  }
  return result;
}

}  // namespace tilewright::verification
