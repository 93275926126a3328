// The product in row-major form, and its tiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

/// A rectangle of a stored matrix. Elements of one row are contiguous in memory.
struct TileRect {
  std::uint64_t row = 0, column = 0;
  std::uint64_t rows = 0, columns = 0;
};

/// A problem in row-major layout with all leading dimensions set. A column-major product becomes the product of the
/// transposes, C^T = op(B)^T op(A)^T: A and B are swapped.
struct TileForm {
  GemmProblem problem{};
  bool is_swapped = false;

  std::size_t element() const { return size_of(problem.type); }
  StoredMatrix a() const;
  StoredMatrix b() const;
  StoredMatrix c() const { return {problem.m, problem.n, problem.ldc}; }
  bool is_empty() const { return problem.m == 0 || problem.n == 0; }
};

/// Returns the form of a problem. Throws Error(unsupported_type, invalid_batch, invalid_leading_dimension,
/// size_overflow) if the problem is not one product of f32 or f64.
TileForm tile_form(const GemmProblem& problem);

/// Converts a schedule of the form to one of the caller's problem, and back: swaps rows and columns if A and B are
/// swapped.
TileSchedule swapped_like(const TileForm& form, const TileSchedule& schedule);

/// A range of m, n or k.
struct TileRange {
  std::uint64_t begin = 0, size = 0;
};

inline TileRange tile_range(std::uint64_t all, std::uint64_t size, std::uint64_t index) {
  const std::uint64_t begin = index * size;
  return {begin, std::min(size, all - begin)};
}

inline std::uint64_t tile_count(std::uint64_t all, std::uint64_t size) { return all == 0 ? 0 : (all - 1) / size + 1; }

/// Returns the rectangle of stored A or B for a range of m (or n) and a range of k.
TileRect rect_of_a(const TileForm& form, TileRange m, TileRange k);
TileRect rect_of_b(const TileForm& form, TileRange k, TileRange n);

/// Row and column of a tile in the grid of tiles of the form's C.
struct TilePlace {
  std::uint64_t i = 0, j = 0;
};

/// Returns the place of the tile with this number. Tiles follow rows (or columns) back and forth.
TilePlace tile_place(const TileSchedule& schedule, std::uint64_t number);

/// Returns the slab along k of step `step` of a tile. Slabs go back and forth from tile to tile, so that the last slabs
/// are reused. The direction depends only on the tile's number, so that a resumed product has the same bits.
inline std::uint64_t tile_slab(std::uint64_t tiles_k, std::uint64_t number, std::uint64_t step) {
  return number % 2 == 0 ? step : tiles_k - 1 - step;
}

/// Tiles and their rows begin at multiples of this many elements on the device.
inline constexpr std::uint64_t tile_alignment = 16;

/// Elements from one row of a tile on the device to the next.
inline std::uint64_t tile_pitch(std::uint64_t columns) {
  return (columns + tile_alignment - 1) / tile_alignment * tile_alignment;
}

/// Halves the longer side of a tile. Returns false if it would become shorter than `least`.
bool halve(TileSizes& tile, std::uint64_t least);

inline std::uint64_t tile_area(const TileRect& rect) { return rect.rows * tile_pitch(rect.columns); }

}  // namespace tilewright::detail
