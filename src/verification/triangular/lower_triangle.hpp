// Triangular matrices as data of triangular systems and of factors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/element_type.hpp"
#include "kernels/host_type.hpp"
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
  return kind == TriangleKind::alternating ? (size_of(detail::part_of(type)) == 8 ? 300 : 40) : 600;
}

/// A row-major lower triangular matrix of order n, and a factor per row of the right-hand sides.
template <class T>
struct LowerTriangle {
  std::uint64_t n = 0;
  std::vector<T> elements{};
  std::vector<detail::Part<T>> scales{};

  T& operator()(std::uint64_t i, std::uint64_t j) { return elements[i * n + j]; }
  const T& operator()(std::uint64_t i, std::uint64_t j) const { return elements[i * n + j]; }
};

/// Returns a complex number of the given size if T is complex, otherwise the size itself. The factor is exact for
/// `whole` sizes.
template <class T>
T with_direction(RandomStream& random, detail::Part<T> size, bool whole) {
  if constexpr (detail::is_complex_host_type<T>) {
    using Real = detail::Part<T>;
    const T direction = whole ? random.pick({T(1), T(0, 1)})
                              : random.pick({T(1), T(0, -1), T(Real(0.6), Real(0.8)), T(Real(-0.8), Real(0.6))});
    return size * direction;
  } else {
    return size;
  }
}

/// Returns a complex number with these parts if T is complex, otherwise `real`. `imaginary` is a function.
template <class T, class Draw>
T with_imaginary(double real, const Draw& imaginary) {
  if constexpr (detail::is_complex_host_type<T>)
    return T(static_cast<detail::Part<T>>(real), static_cast<detail::Part<T>>(imaginary()));
  else
    return static_cast<T>(real);
}

/// Draws a triangle. `is_unit`: the diagonal is all ones. `min_exponent` is that of the device's SmallNumbers.
template <class T>
LowerTriangle<T> draw_triangle(RandomStream& random, TriangleKind kind, std::uint64_t n, bool is_unit,
                               int min_exponent) {
  using Real = detail::Part<T>;
  LowerTriangle<T> t{n, std::vector<T>(n * n, T{0}), std::vector<Real>(n, Real{1})};
  constexpr int normal = std::numeric_limits<Real>::min_exponent, most = std::numeric_limits<Real>::max_exponent;
  int exponent = 0;
  if (kind == TriangleKind::tiny) exponent = random.between(min_exponent + 4, std::max(min_exponent + 4, normal + 2));
  if (kind == TriangleKind::huge) exponent = random.between(most - 30, most - 3);
  constexpr int spread = sizeof(Real) == 8 ? 200 : 25;
  const double beside = kind == TriangleKind::alternating ? 0.5 : 1 / static_cast<double>(n + 1);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (kind == TriangleKind::scaled) exponent = random.between(-spread, spread);
    if (kind == TriangleKind::any_size) exponent = random.between(min_exponent, most - 3);
    t.scales[i] = std::ldexp(Real{1}, exponent);
    for (std::uint64_t j = 0; j <= i; ++j) {
      T value{0};
      if (i == j && is_unit) {
        value = T{1};
      } else if (kind == TriangleKind::arrow) {
        const auto whole = [&] { return static_cast<double>(random.below(7)) - 3; };
        if (i == j)
          value = with_direction<T>(random, static_cast<Real>(random.pick({1.0, -1.0, 2.0, 0.5})), true);
        else if (j == 0 || i == n - 1)
          value = with_imaginary<T>(whole(), whole);
      } else if (i == j) {
        const double size = kind == TriangleKind::alternating && i % 7 == 3 ? 0.125 : 1 + random.unit();
        value = with_direction<T>(random, static_cast<Real>(random.chance(50) ? size : -size), false);
      } else {
        // The parts of a complex number share the size of a real one.
        const double part = detail::is_complex_host_type<T> ? beside / 2 : beside;
        const auto small = [&] { return part * random.symmetric(); };
        value = with_imaginary<T>(small(), small);
      }
      t(i, j) = value * t.scales[i];
    }
  }
  return t;
}

}  // namespace tilewright::verification
