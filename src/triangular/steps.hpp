// The order in which the blocks of a triangular system are solved, and the products between them.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/gemm_problem.hpp"
#include "triangular/problem.hpp"

namespace tilewright::detail {

struct TrsmStep {
  enum class Kind {
    solve,    ///< block number `block`
    product,  ///< subtracts a product of solved rows from other rows by gemm: B2 = B2 - T21 X1
    update,   ///< subtracts products of the latest solved block from all `rest` unsolved rows
  } kind;
  bool scales = false;       ///< multiplies B by alpha: the first step that changes these rows
  std::uint64_t block = 0;   ///< solve: number of the block
  std::size_t product = 0;   ///< product: index in TrsmSteps::products
  std::uint64_t a = 0;       ///< product: elements from the start of A to T21
  std::uint64_t solved = 0;  ///< product: elements from the start of B to X1
  std::uint64_t rest = 0;    ///< product: elements from the start of B to B2; update: number of unsolved rows
};

struct TrsmSteps {
  std::vector<TrsmStep> steps{};
  std::vector<GemmProblem> products{};  ///< each product once
};

/// Halves the system recursively. The first half is a power of two times `block` rows, so that products are deep and
/// few of them differ.
TrsmSteps trsm_steps(const TrsmSystem& system, std::uint64_t block);

/// Solves block after block, and updates all unsolved rows after each.
TrsmSteps trsm_steps_by_rows(const TrsmSystem& system, std::uint64_t block);

}  // namespace tilewright::detail
