// The matrix products that a product with a symmetric matrix consists of.
#pragma once

#include <cstdint>
#include <vector>

#include "symm/policy.hpp"
#include "symm/problem.hpp"
#include "tilewright/gemm_problem.hpp"

namespace tilewright::detail {

struct SymmStep {
  /// The matrix that B is multiplied by.
  enum class Factor {
    whole,      ///< A, read from its stored triangle
    expanded,   ///< an expanded diagonal block
    rectangle,  ///< a part of the stored triangle outside the diagonal blocks
  } factor;
  std::size_t product = 0;  ///< index in SymmSteps::products
  std::uint64_t a = 0;      ///< elements from the start of A, or of the expanded blocks
  std::uint64_t b = 0;      ///< elements from the start of B
  std::uint64_t c = 0;      ///< elements from the start of C

  bool is_expanded() const { return factor == Factor::expanded; }
  bool scales() const { return factor != Factor::rectangle; }  ///< C by beta; others add to C
};

struct SymmSteps {
  std::vector<SymmStep> steps{};        ///< steps that scale C come first; they write all of C
  std::vector<GemmProblem> products{};  ///< each product once
};

/// Multiplies by all diagonal blocks, then by the rectangles outside them, each as stored and transposed. Equal
/// products of one level are batches.
SymmSteps symm_steps(const SymmSystem& system, const SymmBlocks& blocks);

/// Multiplies by all of A at once, as SymmetricFactor says.
SymmSteps symm_steps_of_whole(const SymmSystem& system);

}  // namespace tilewright::detail
