// A triangle of a matrix, and the tiles that touch it.
#pragma once

#include <cstdint>

#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// One triangle of a row-major matrix, including the diagonal, and the rows below a lower one or the columns on the
/// right of an upper one. The other triangle is neither read nor written.
struct WantedTriangle {
  Uplo uplo = Uplo::lower;
  bool real_diagonal = false;  ///< the imaginary parts of the diagonal become 0: the matrix is Hermitian
  std::uint64_t parts = 1;     ///< columns per element of the triangle: 2 if a complex matrix is stored as a real one

  friend bool operator==(const WantedTriangle&, const WantedTriangle&) = default;
};

/// The rows and columns of a tile.
struct TileSize {
  std::uint64_t rows, columns;
};

/// Whether cl/gemm/tile_order.cl can number the tiles that touch a triangle: the columns of a tile are a multiple or a
/// divisor of the columns that the triangle gains per tile row.
bool can_number_tiles(const WantedTriangle& triangle, const TileSize& tile);

/// Returns the number of tiles of an m x n matrix that touch the triangle, as tile_order.cl counts them. n counts
/// parts, and is at most m * parts with a lower triangle, at least m * parts with an upper one.
std::uint64_t tiles_in_triangle(const WantedTriangle& triangle, std::uint64_t m, std::uint64_t n, const TileSize& tile);

}  // namespace tilewright::detail
