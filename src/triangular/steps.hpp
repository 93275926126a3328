// The order in which the blocks of a triangular system are solved, and the products between them.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/gemm.hpp"
#include "triangular/problem.hpp"

namespace tilewright::detail {

/// A block that is solved, or a product that takes the rows that are solved from some of the others: B2 - T21 X1.
struct TrsmStep {
  bool is_product = false;
  bool scales = false;      ///< these rows are met for the first time, and get their factor alpha
  std::uint64_t block = 0;  ///< where none is a product
  std::size_t product = 0;  ///< in TrsmSteps::products
  /// Elements from the beginning of A to T21, and of B to X1 and B2.
  std::uint64_t a = 0, solved = 0, rest = 0;
};

struct TrsmSteps {
  std::vector<TrsmStep> steps{};
  std::vector<GemmProblem> products{};  ///< all different
};

/// By halves whose size is a power of two times `block`, so that products are deep and few of them differ.
TrsmSteps trsm_steps(const TrsmSystem& system, std::uint64_t block);

}  // namespace tilewright::detail
