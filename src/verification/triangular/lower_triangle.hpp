// Triangular matrices as data of triangular systems and of factors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tilewright/matrix.hpp"
#include "verification/common/random_stream.hpp"

namespace tilewright::verification {

/// The kinds of triangles. Each is well conditioned up to its scales, so solutions neither overflow nor vanish.
enum class TriangleKind {
  dominant,     ///< small elements off the diagonal
  alternating,  ///< elements off the diagonal are about as large as those on it; small orders only
  arrow,        ///< small integers in one row, one column and on the diagonal: X is exact
  scaled,       ///< rows many powers of two apart
  tiny,         ///< subnormal numbers, or the smallest normal ones on a device without them
  huge,         ///< near the largest numbers
  any_size,     ///< rows from the smallest numbers to the largest
};

/// Whether rows have other scales than ones, so that the diagonal cannot be all ones.
inline bool has_scales(TriangleKind kind) {
  return kind != TriangleKind::dominant && kind != TriangleKind::alternating && kind != TriangleKind::arrow;
}

/// Returns the largest order for which solutions of this kind stay far from overflow.
inline std::uint64_t largest_order(TriangleKind kind, DataType type) {
  return kind == TriangleKind::alternating ? (type == DataType::f64 ? 300 : 40) : 600;
}

/// A row-major lower triangular matrix of order n, and a factor per row of the right-hand sides.
template <class T>
struct LowerTriangle {
  std::uint64_t n = 0;
  std::vector<T> elements{};
  std::vector<T> scales{};

  T& operator()(std::uint64_t i, std::uint64_t j) { return elements[i * n + j]; }
  const T& operator()(std::uint64_t i, std::uint64_t j) const { return elements[i * n + j]; }
};

/// Draws a triangle. `is_unit`: the diagonal is all ones. `min_exponent` is that of the device's SmallNumbers.
template <class T>
LowerTriangle<T> draw_triangle(RandomStream& random, TriangleKind kind, std::uint64_t n, bool is_unit,
                               int min_exponent) {
  LowerTriangle<T> t{n, std::vector<T>(n * n, T{0}), std::vector<T>(n, T{1})};
  constexpr int normal = std::numeric_limits<T>::min_exponent, most = std::numeric_limits<T>::max_exponent;
  int exponent = 0;
  if (kind == TriangleKind::tiny) exponent = random.between(min_exponent + 4, std::max(min_exponent + 4, normal + 2));
  if (kind == TriangleKind::huge) exponent = random.between(most - 30, most - 3);
  constexpr int spread = sizeof(T) == 8 ? 200 : 25;
  const double beside = kind == TriangleKind::alternating ? 0.5 : 1 / static_cast<double>(n + 1);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (kind == TriangleKind::scaled) exponent = random.between(-spread, spread);
    if (kind == TriangleKind::any_size) exponent = random.between(min_exponent, most - 3);
    t.scales[i] = std::ldexp(T{1}, exponent);
    for (std::uint64_t j = 0; j <= i; ++j) {
      double value = 0;
      if (kind == TriangleKind::arrow) {
        const double whole = static_cast<double>(random.below(7)) - 3;
        if (i == j)
          value = random.pick({1.0, -1.0, 2.0, 0.5});
        else if (j == 0 || i == n - 1)
          value = whole;
      } else {
        const double size = kind == TriangleKind::alternating && i % 7 == 3 ? 0.125 : 1 + random.unit();
        value = i == j ? (random.chance(50) ? size : -size) : beside * random.symmetric();
      }
      if (i == j && is_unit) value = 1;
      t(i, j) = std::ldexp(static_cast<T>(value), exponent);
    }
  }
  return t;
}

}  // namespace tilewright::verification
