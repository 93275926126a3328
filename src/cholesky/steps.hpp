// The order in which a matrix is factored by blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "cholesky/problem.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

struct PotrfStep {
  enum class Kind {
    factor,    ///< a block of the diagonal, up to row `rows` of the matrix
    solve,     ///< the rows below a block: its factor `a`, rows `c`
    product,   ///< takes products of these rows, `a` and `b`, from the rest of the matrix at `c`
    tiles,     ///< the same for squares on the diagonal, whose products come to the workspace
    subtract,  ///< and are taken from one triangle of the matrix at `c`, in `rows` rows
  } kind;
  std::size_t plan = 0;               ///< in PotrfSteps::solves or products; of subtract, its number of tiles
  std::uint64_t a = 0, b = 0, c = 0;  ///< elements from the beginning of A; of tiles, c is in the workspace
  std::uint64_t rows = 0;
};

struct PotrfSteps {
  std::vector<PotrfStep> steps{};
  std::vector<TrsmProblem> solves{};    ///< all different
  std::vector<GemmProblem> products{};  ///< all different
  std::uint64_t max_tiles = 0;          ///< in the workspace, of each matrix
};

/// By halves of columns, each in all of its rows, so that steps are few: one half is factored, its products are taken
/// from the other, and that is factored. Of products on the diagonal only one triangle is of use, so these are small
/// squares.
PotrfSteps potrf_steps(const PotrfSystem& system, std::uint64_t block);

}  // namespace tilewright::detail
