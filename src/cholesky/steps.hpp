// The steps of blocked algorithms on one triangle of a matrix, in their order.
#pragma once

#include <cstdint>
#include <vector>

#include "cholesky/problem.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

struct PotrfStep {
  enum class Kind {
    diagonal,  ///< factors or inverts the diagonal block at `c`, which ends before row `rows` of the matrix; a shape
               ///< that solves below does so for the rows below, too
    solve,     ///< solves for `alpha` times the part at `c`, with the factor of diagonal blocks at `a`
    product,   ///< adds `alpha` times the product of `a` and `b` to the part at `c`
    tiles,     ///< computes -`alpha` times products for diagonal blocks, into the workspace at `c`
    subtract,  ///< subtracts these products from one triangle of the diagonal blocks at `c`, which have `rows` rows
    triangle,  ///< as product, but only the triangle at `c` and the rows below it are changed
  } kind;
  std::size_t plan = 0;               ///< index in PotrfSteps, of the kind; subtract: number of tiles
  std::uint64_t a = 0, b = 0, c = 0;  ///< elements from the start of A; tiles: c counts from the start of the workspace
  std::uint64_t rows = 0;
  double alpha = 1;
};

struct PotrfSteps {
  std::vector<PotrfStep> steps{};
  std::vector<TrsmProblem> solves{};     ///< each problem once
  std::vector<GemmProblem> products{};   ///< each problem once
  std::vector<GemmProblem> triangles{};  ///< each problem once
  std::uint64_t max_tiles = 0;           ///< tiles per matrix that the workspace holds
};

/// How a device does some steps.
struct PotrfForms {
  bool whole_triangles = false;  ///< one product computes a triangle and the rows below it, otherwise many tiles do
  bool solves_below = false;     ///< PotrfShape::solves_below
};

/// Factors a matrix. Halves the columns recursively, so that steps are few: factors the first half in all of its rows,
/// subtracts its products from the second half, and factors that. Only one triangle of a diagonal product is needed, so
/// diagonal products are computed in tiles of one block, or by the tiles that touch the triangle.
PotrfSteps potrf_steps(const PotrfSystem& system, std::uint64_t block, const PotrfForms& forms);

/// Replaces a factor L by the inverse of L L^H. Halves the matrix recursively. With L = [L11 0; L21 L22] and V = L22^-1
/// L21 L11^-1, the inverse has (L11 L11^H)^-1 + V^H V, -L22^-H V and (L22 L22^H)^-1 in its triangle.
PotrfSteps potri_steps(const PotrfSystem& system, std::uint64_t block, const PotrfForms& forms);

}  // namespace tilewright::detail
