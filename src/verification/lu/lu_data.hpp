// Matrices to factor, and LU factors made on the host.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "verification/common/random_stream.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::verification {

/// The kinds of matrices to factor.
enum class LuKind {
  uniform,
  positive,
  integers,     ///< small integers: pivots of equal size, and singular matrices
  scattered,    ///< elements of very different scales
  scaled_rows,  ///< rows many powers of two apart
  deficient,    ///< a column of zeros
  tiny,         ///< subnormal numbers, or the smallest normal ones on a device without them
  huge,         ///< the largest numbers whose factors do not overflow
  any_size,     ///< one number per row, from the smallest to the largest, in different columns
};

/// A row-major matrix, and a factor per row of the right-hand sides.
template <class T>
struct LuData {
  std::vector<T> elements{};
  std::vector<detail::Part<T>> scales{};
};

/// Draws a matrix to factor. `is_solved`: the factors solve systems, which limits their size. `min_exponent` is that of
/// the device's SmallNumbers.
template <class T>
LuData<T> draw_lu_matrix(RandomStream& random, LuKind kind, std::uint64_t rows, std::uint64_t columns, bool is_solved,
                         int min_exponent) {
  using Real = detail::Part<T>;
  constexpr int normal = std::numeric_limits<Real>::min_exponent,
                most = std::numeric_limits<Real>::max_exponent - (detail::is_complex_host_type<T> ? 1 : 0);
  // Bound on the growth of the factors in bits and, for systems, of the sums of products with X.
  const int growth = static_cast<int>(std::bit_width(std::min(rows, columns))) + (is_solved ? 12 : 0);
  constexpr int spread = sizeof(Real) == 8 ? 200 : 25;
  const auto exponent = [&] {
    switch (kind) {
      case LuKind::scattered:
      case LuKind::scaled_rows:
        return random.between(-spread, spread - 1);
      case LuKind::tiny:
        return random.between(min_exponent + 7, std::max(min_exponent + 7, normal + 3));
      case LuKind::huge:
        return random.between(most - growth - 3, most - growth);
      case LuKind::any_size:
        return random.between(min_exponent, most - 2);
      default:
        return 0;
    }
  };
  const auto number = [&] {
    switch (kind) {
      case LuKind::positive:
        return 1 - random.unit();
      case LuKind::integers:
        return static_cast<double>(random.below(9)) - 4;
      case LuKind::any_size:
        return random.chance(50) ? 1 + random.unit() : -1 - random.unit();
      default:
        return random.symmetric();
    }
  };
  LuData<T> data{std::vector<T>(rows * columns, T{0}), std::vector<Real>(rows, Real{1})};
  const std::uint64_t zeros = kind == LuKind::deficient ? random.below(columns) : columns;
  int scale = exponent();
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (kind == LuKind::scaled_rows || kind == LuKind::any_size) scale = exponent();
    for (std::uint64_t j = 0; j < columns; ++j) {
      if (kind == LuKind::scattered) scale = exponent();
      if (j == zeros || (kind == LuKind::any_size && j != (i + columns / 3) % columns)) continue;
      data.elements[i * columns + j] = with_imaginary<T>(number(), number) * std::ldexp(Real{1}, scale);
    }
    if (kind != LuKind::scattered) data.scales[i] = std::ldexp(Real{1}, scale);
  }
  return data;
}

/// Draws factors of a square matrix: L has small elements below its diagonal, and U is of a kind of triangle, which may
/// not be alternating or arrow.
template <class T>
std::vector<T> draw_lu_factors(RandomStream& random, TriangleKind kind, std::uint64_t n, int min_exponent) {
  const auto lower = draw_triangle<T>(random, TriangleKind::dominant, n, true, min_exponent);
  const auto upper = draw_triangle<T>(random, kind, n, false, min_exponent);  // the transpose of U
  std::vector<T> factors(n * n);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) factors[i * n + j] = i > j ? lower(i, j) : upper(j, i);
  return factors;
}

/// Draws row interchanges, most of which move a row.
inline std::vector<std::int64_t> draw_pivots(RandomStream& random, std::uint64_t n) {
  std::vector<std::int64_t> pivots;
  for (std::uint64_t i = 0; i < n; ++i)
    pivots.push_back(static_cast<std::int64_t>(random.chance(20) ? i : i + random.below(n - i)));
  return pivots;
}

}  // namespace tilewright::verification
