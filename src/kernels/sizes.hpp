// Arithmetic of sizes: of grids, tiles and workspaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tilewright::detail {

/// No tile has more rows, columns or depth than this.
inline constexpr std::int64_t largest_tile = 1024;

/// size / per, rounded up.
constexpr std::size_t ceil_div(std::uint64_t size, std::int64_t per) {
  const auto divisor = static_cast<std::uint64_t>(per);
  return static_cast<std::size_t>((size + divisor - 1) / divisor);
}

/// `size` rounded up to a multiple of `multiple`.
constexpr std::uint64_t rounded_up(std::uint64_t size, std::int64_t multiple) {
  return ceil_div(size, multiple) * static_cast<std::uint64_t>(multiple);
}

/// The bytes of rows x columns elements, or the largest number there is where they are more: no device has so many.
constexpr std::uint64_t bytes_of(std::uint64_t rows, std::uint64_t columns, std::size_t element) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (rows == 0 || columns == 0) return 0;
  return columns > most / element / rows ? most : rows * columns * element;
}

/// In OpenCL C a vector has 2, 4, 8 or 16 elements; 1 is the element itself.
constexpr bool is_vector_width(std::int64_t width) {
  return width == 1 || width == 2 || width == 4 || width == 8 || width == 16;
}

}  // namespace tilewright::detail
