// The order in which the blocks of a triangular product are computed, and the products between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/operands/k_range.hpp"
#include "tilewright/gemm_problem.hpp"
#include "trmm/problem.hpp"

namespace tilewright::detail {

struct TrmmStep {
  enum class Kind {
    copy,     ///< copies B
    blocks,   ///< multiplies the rows of one part by their diagonal blocks, and copies them if there are several blocks
    product,  ///< adds a product of rows outside the diagonal blocks by gemm: B2 += alpha T21 B1
    round,    ///< stores the sums of one part in B
    whole,    ///< replaces B by the whole product
  } kind;
  std::uint64_t first = 0;   ///< blocks, round: first row
  std::size_t product = 0;   ///< product, whole: index in TrmmSteps::products
  std::uint64_t a = 0;       ///< product: elements from the start of A to T21
  bool from_copy = false;    ///< product, whole: B1 is read from the copy
  std::uint64_t source = 0;  ///< product: elements from the start of B, or of the copy, to B1
  std::uint64_t target = 0;  ///< product: elements from the start of B, or of the sums, to B2
};

/// The copy of a part's rows, or the sums of its rows, laid out like B.
struct TrmmCopy {
  bool holds_sums = false;                ///< sums instead of a copy: TrmmSystem::keeps_sums()
  std::uint64_t rows = 0;                 ///< 0: no part has several blocks, and nothing is copied
  std::uint64_t step = 0, line_step = 0;  ///< as in TrmmSystem
  std::uint64_t stride = 0;               ///< elements between the copies of consecutive systems

  std::uint64_t ld() const { return step == 1 ? line_step : step; }
};

struct TrmmProduct {
  GemmProblem problem{};
  std::optional<KRange> range{};  ///< set: one factor is T, or its block triangle outside the squares on the diagonal

  friend bool operator==(const TrmmProduct&, const TrmmProduct&) = default;
};

struct TrmmSteps {
  TrmmCopy copy{};
  std::vector<TrmmStep> steps{};
  std::vector<TrmmProduct> products{};  ///< each product once
};

/// Halves the triangle recursively down to parts of `part` rows. In a part, all diagonal blocks of `block` rows are
/// multiplied first, while the rows are copied; then the products of each level are added, all at once.
/// If sums are kept, one part after another is complete before its sums are stored, and the products read B itself.
TrmmSteps trmm_steps(const TrmmSystem& system, std::uint64_t block, std::uint64_t part);

/// Multiplies all diagonal blocks, then adds the products in squares of `square` rows on the diagonal, level by level,
/// then one product with a range of k for everything outside these squares. `square` is a power of two times `block`,
/// and less than the order.
TrmmSteps trmm_steps_with_range(const TrmmSystem& system, std::uint64_t block, std::uint64_t square);

/// Replaces B by one product with the triangle, whose blocks have one line.
TrmmSteps trmm_steps_of_whole(const TrmmSystem& system);

/// Replaces B by one product of the triangle, whose blocks have `block` lines, and a copy of B.
TrmmSteps trmm_steps_of_copy(const TrmmSystem& system, std::uint64_t block);

}  // namespace tilewright::detail
