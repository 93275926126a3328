// The division of a triangle into blocks, and the products that compute them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rank_k/problem.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

/// A block of C, as the caller counts rows and columns.
struct RankKBlock {
  std::uint64_t row = 0, column = 0, rows = 0, columns = 0;

  friend bool operator==(const RankKBlock&, const RankKBlock&) = default;
};

/// Returns the blocks on the diagonal of an n x n matrix: `block` rows each, the last one fewer.
std::vector<RankKBlock> diagonal_blocks(std::uint64_t n, std::uint64_t block);

/// Returns blocks that cover one triangle outside the diagonal blocks. Squares of `grid` x `grid` blocks on the
/// diagonal consist of single blocks. From there on each level doubles the squares. Blocks at the end of the matrix may
/// have fewer rows or columns.
std::vector<RankKBlock> triangle_blocks(std::uint64_t n, std::uint64_t block, std::uint64_t grid, Uplo uplo);

/// A call of gemm for blocks of equal size, of every update of the batch.
struct RankKProduct {
  GemmProblem problem{};
  std::array<std::vector<std::uint64_t>, 3> offsets{};  ///< of the factors and results of a batch by offsets

  friend bool operator==(const RankKProduct&, const RankKProduct&) = default;
};

struct RankKStep {
  std::size_t product = 0;                ///< index in RankKSteps::products
  std::array<std::uint64_t, 3> places{};  ///< elements from the start of the left factor, the right one, and the result
};

struct RankKSteps {
  /// Blocks on the diagonal, by the first term, in the workspace. Empty if products compute only the triangle.
  std::vector<RankKStep> tiles{};
  std::vector<std::vector<RankKStep>> squares{};  ///< for each term: the other blocks, or the triangle, in C
  std::vector<RankKProduct> products{};           ///< each one once
};

/// Returns the sums in the workspace from the tiles of one update to those of the next.
inline std::uint64_t tile_stride(const RankKSystem& system, std::uint64_t block) { return system.n * block; }

/// Returns the number of kernels that rank_k_steps() and the kernel that merges the blocks take, at one kernel per
/// product.
std::uint64_t launch_count(const RankKSystem& system, std::uint64_t block, std::uint64_t grid);

/// Plans the products of a problem that is not empty, with k > 0.
RankKSteps rank_k_steps(const RankKSystem& system, std::uint64_t block, std::uint64_t grid);

/// Plans one product per term, for products that compute only the triangle.
RankKSteps whole_steps(const RankKSystem& system);

}  // namespace tilewright::detail
