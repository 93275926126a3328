// The product as the schedule sees it: row-major, and cut into tiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/operands/stored_matrix.hpp"
#include "tilewright/out_of_core.hpp"

namespace tilewright::detail {

/// A rectangle of a stored matrix: rows and columns as they lie in memory.
struct TileRect {
  std::uint64_t row = 0, column = 0;
  std::uint64_t rows = 0, columns = 0;
};

/// A problem whose layout is row-major and whose leading dimensions are filled in. A column-major product becomes that
/// of its transposes: C^T = op(B)^T op(A)^T.
struct TileForm {
  GemmProblem problem{};
  bool is_swapped = false;

  std::size_t element() const { return size_of(problem.type); }
  StoredMatrix a() const;
  StoredMatrix b() const;
  StoredMatrix c() const { return {problem.m, problem.n, problem.ldc}; }
  bool is_empty() const { return problem.m == 0 || problem.n == 0; }
};

/// Throws Error(unsupported_type, invalid_batch, invalid_leading_dimension, size_overflow) for what is no product of
/// two matrices of f32 or f64.
TileForm tile_form(const GemmProblem& problem);

/// A schedule of the form as the caller sees it, and the other way round.
TileSchedule turned(const TileForm& form, const TileSchedule& schedule);

/// A range of m, n or k.
struct TileRange {
  std::uint64_t begin = 0, size = 0;
};

inline TileRange tile_range(std::uint64_t all, std::uint64_t size, std::uint64_t index) {
  const std::uint64_t begin = index * size;
  return {begin, std::min(size, all - begin)};
}

inline std::uint64_t tile_count(std::uint64_t all, std::uint64_t size) { return all == 0 ? 0 : (all - 1) / size + 1; }

/// The part of stored A or B that a range of m (or n) and one of k mean.
TileRect rect_of_a(const TileForm& form, TileRange m, TileRange k);
TileRect rect_of_b(const TileForm& form, TileRange k, TileRange n);

/// A tile's row and column among the tiles of the form's C.
struct TilePlace {
  std::uint64_t i = 0, j = 0;
};

/// Where the schedule's tile of a number is: rows, or columns, back and forth.
TilePlace tile_place(const TileSchedule& schedule, std::uint64_t number);

/// The slab along k of step `step` of a tile: back and forth from tile to tile, so that the last slabs are used again.
/// The tile's number decides, so that its sum has the same order and the same bits whichever tiles were done before.
inline std::uint64_t tile_slab(std::uint64_t tiles_k, std::uint64_t number, std::uint64_t step) {
  return number % 2 == 0 ? step : tiles_k - 1 - step;
}

/// Elements: tiles and their rows begin at multiples of it on the device.
inline constexpr std::uint64_t tile_alignment = 16;

/// Elements from one row of a tile on the device to the next: whole vectors.
inline std::uint64_t tile_pitch(std::uint64_t columns) {
  return (columns + tile_alignment - 1) / tile_alignment * tile_alignment;
}

inline std::uint64_t tile_area(const TileRect& rect) { return rect.rows * tile_pitch(rect.columns); }

}  // namespace tilewright::detail
