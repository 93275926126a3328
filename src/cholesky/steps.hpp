// The steps of a blocked factorisation, in their order.
#pragma once

#include <cstdint>
#include <vector>

#include "cholesky/problem.hpp"
#include "tilewright/gemm_problem.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

struct PotrfStep {
  enum class Kind {
    factor,    ///< factors the diagonal block at `c`, which ends before row `rows` of the matrix
    solve,     ///< solves for the rows `c` below a diagonal block, whose factor is `a`
    product,   ///< subtracts the product of `a` and `b` from the trailing matrix at `c`
    tiles,     ///< computes products for the diagonal blocks of the trailing matrix, into the workspace at `c`
    subtract,  ///< subtracts these products from one triangle of the trailing matrix at `c`, which has `rows` rows
  } kind;
  std::size_t plan = 0;               ///< index in PotrfSteps::solves or products; subtract: number of tiles
  std::uint64_t a = 0, b = 0, c = 0;  ///< elements from the start of A; tiles: c counts from the start of the workspace
  std::uint64_t rows = 0;
};

struct PotrfSteps {
  std::vector<PotrfStep> steps{};
  std::vector<TrsmProblem> solves{};    ///< each problem once
  std::vector<GemmProblem> products{};  ///< each problem once
  std::uint64_t max_tiles = 0;          ///< tiles per matrix that the workspace holds
};

/// Halves the columns recursively, so that steps are few: factors the first half in all of its rows, subtracts its
/// products from the second half, and factors that. Only one triangle of a diagonal product is needed, so diagonal
/// products are computed in tiles of one block.
PotrfSteps potrf_steps(const PotrfSystem& system, std::uint64_t block);

}  // namespace tilewright::detail
