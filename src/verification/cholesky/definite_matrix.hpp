// Symmetric positive definite matrices, and Cholesky factors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "verification/common/precision.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::verification {

/// Draws a factor L with a positive diagonal, or with `is_product` the lower triangle of L L^T + I / 8. The rows of a
/// factor are multiplied by the result's `scales`, and the columns of a product too. Right-hand sides of that size have
/// solutions that neither overflow nor vanish. Kinds without scales count as dominant.
template <class T>
LowerTriangle<T> draw_cholesky(RandomStream& random, TriangleKind kind, std::uint64_t n, bool is_product,
                               int min_exponent) {
  constexpr int normal = std::numeric_limits<T>::min_exponent, most = std::numeric_limits<T>::max_exponent;
  constexpr int spread = sizeof(T) == 8 ? 100 : 12;
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
    result.scales[i] = std::ldexp(T{1}, exponents[i]);
    for (std::uint64_t j = 0; j <= i; ++j) {
      Wide<T> value = l(i, j);
      if (is_product) {
        value = i == j ? Wide<T>{0.125} : Wide<T>{0};
        for (std::uint64_t k = 0; k <= j; ++k) value += static_cast<Wide<T>>(l(i, k)) * static_cast<Wide<T>>(l(j, k));
      }
      result(i, j) = static_cast<T>(std::ldexp(value, exponents[i] + (is_product ? exponents[j] : 0)));
    }
  }
  return result;
}

}  // namespace tilewright::verification
