// Triangular matrices, and the errors of the solutions of their systems.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "differential/draws.hpp"
#include "verification/common/precision.hpp"

namespace tilewright::test::differential {

/// The kinds of triangles. Each is well conditioned up to its scales, so solutions neither overflow nor vanish.
enum class TriangleKind {
  dominant,     ///< small elements off the diagonal
  alternating,  ///< elements off the diagonal are about as large as those on it; small orders only
  arrow,        ///< small integers in one row, one column and on the diagonal: X is exact
  scaled,       ///< rows many powers of two apart
  tiny,         ///< subnormal numbers
  huge,         ///< near the largest numbers
};

/// A row-major lower triangular matrix of order n, and a factor per row of the right-hand sides.
template <class T>
struct LowerTriangle {
  std::uint64_t n = 0;
  std::vector<T> elements{};
  std::vector<T> scales{};

  T& operator()(std::uint64_t i, std::uint64_t j) { return elements[i * n + j]; }
  const T& operator()(std::uint64_t i, std::uint64_t j) const { return elements[i * n + j]; }
};

inline TriangleKind draw_triangle_kind(Random& random, const Exclusions& without, bool is_unit) {
  const TriangleKind kind =
      random.pick({TriangleKind::dominant, TriangleKind::dominant, TriangleKind::alternating, TriangleKind::arrow,
                   TriangleKind::scaled, TriangleKind::tiny, TriangleKind::huge});
  const bool has_scale = kind == TriangleKind::scaled || kind == TriangleKind::tiny || kind == TriangleKind::huge;
  if (has_scale && is_unit) return TriangleKind::dominant;
  const bool is_extreme = kind == TriangleKind::tiny || kind == TriangleKind::huge;
  return is_extreme && without.subnormal ? TriangleKind::scaled : kind;
}

/// `is_unit`: the diagonal is all ones.
template <class T>
LowerTriangle<T> draw_triangle(Random& random, TriangleKind kind, std::uint64_t n, bool is_unit) {
  LowerTriangle<T> t{n, std::vector<T>(n * n, T{0}), std::vector<T>(n, T{1})};
  const int least = std::numeric_limits<T>::min_exponent, most = std::numeric_limits<T>::max_exponent;
  const auto between = [&](int first, int last) {
    return first + static_cast<int>(random.below(static_cast<std::uint64_t>(last - first + 1)));
  };
  int exponent = 0;
  if (kind == TriangleKind::tiny) exponent = between(least - std::numeric_limits<T>::digits + 4, least + 2);
  if (kind == TriangleKind::huge) exponent = between(most - 30, most - 3);
  const int spread = sizeof(T) == 8 ? 200 : 25;
  const double beside = kind == TriangleKind::alternating ? 0.5 : 1 / static_cast<double>(n + 1);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (kind == TriangleKind::scaled) exponent = between(-spread, spread);
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

/// The largest order for which solutions of this kind stay far from overflow.
inline std::uint64_t largest_order(TriangleKind kind, DataType type) {
  return kind == TriangleKind::alternating ? (type == DataType::f64 ? 300 : 40) : 600;
}

/// The dot product of two vectors, and the sum of its terms' magnitudes.
template <class T>
struct DotProduct {
  using Real = verification::Wide<T>;
  Real value = 0, size = 0;

  void add(Real x, Real y) {
    value += x * y;
    size += std::abs(x * y);
  }
};

/// The largest error from underflow in `terms` products and sums whose factors are at most `size`.
template <class T>
verification::Wide<T> underflow(std::uint64_t terms, verification::Wide<T> size) {
  using Real = verification::Wide<T>;
  return static_cast<Real>(terms) * static_cast<Real>(std::numeric_limits<T>::denorm_min()) * std::max(Real{1}, size);
}

}  // namespace tilewright::test::differential
