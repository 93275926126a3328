// Arithmetic on sizes of grids, tiles and workspaces.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tilewright::detail {

/// Limit on the rows, columns and depth of a tile.
inline constexpr std::int64_t largest_tile = 1024;

/// Returns size / per, rounded up.
constexpr std::size_t ceil_div(std::uint64_t size, std::int64_t per) {
  const auto divisor = static_cast<std::uint64_t>(per);
  return static_cast<std::size_t>((size + divisor - 1) / divisor);
}

/// Returns `size` rounded up to a multiple of `multiple`.
constexpr std::uint64_t rounded_up(std::uint64_t size, std::int64_t multiple) {
  return ceil_div(size, multiple) * static_cast<std::uint64_t>(multiple);
}

/// Returns the bytes of rows x columns elements, or the largest 64-bit number if there are more.
constexpr std::uint64_t bytes_of(std::uint64_t rows, std::uint64_t columns, std::size_t element) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (rows == 0 || columns == 0) return 0;
  return columns > most / element / rows ? most : rows * columns * element;
}

constexpr bool is_power_of_two(std::int64_t value) {
  return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

/// Whether OpenCL C has vectors of `width` elements: 2, 4, 8 or 16. A width of 1 means the element itself.
constexpr bool is_vector_width(std::int64_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8 || width == 16;
}

}  // namespace tilewright::detail
