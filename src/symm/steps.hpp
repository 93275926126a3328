// The matrix products that a product with a symmetric matrix consists of.
#pragma once

#include <cstdint>
#include <vector>

#include "symm/policy.hpp"
#include "symm/problem.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

struct SymmStep {
  bool is_expanded = false;  ///< the matrix is an expanded diagonal block; these steps scale C by beta, others add to C
  std::size_t product = 0;   ///< index in SymmSteps::products
  std::uint64_t a = 0;       ///< elements from the start of A, or of the expanded blocks
  std::uint64_t b = 0;       ///< elements from the start of B
  std::uint64_t c = 0;       ///< elements from the start of C
};

struct SymmSteps {
  std::vector<SymmStep> steps{};        ///< steps with expanded blocks first; they write all of C
  std::vector<GemmProblem> products{};  ///< each product once
};

/// Multiplies by all diagonal blocks, then by the rectangles outside them, each as stored and transposed. Equal
/// products of one level are batches.
SymmSteps symm_steps(const SymmSystem& system, const SymmBlocks& blocks);

}  // namespace tilewright::detail
