// The order in which the blocks of a triangular system are solved, and the products between them.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/gemm.hpp"
#include "triangular/problem.hpp"

namespace tilewright::detail {

struct TrsmStep {
  enum class Kind {
    solve,    ///< block number `block`
    product,  ///< takes products of some solved rows from others, by gemm: B2 - T21 X1
    update,   ///< takes products of the block that was solved last from all `rest` rows that are not solved yet
  } kind;
  bool scales = false;  ///< these rows are met for the first time, and get their factor alpha
  std::uint64_t block = 0;
  std::size_t product = 0;  ///< in TrsmSteps::products
  /// Of a product: elements from the beginning of A to T21, and of B to X1 and B2. Of an
  /// update `rest` is a number of rows.
  std::uint64_t a = 0, solved = 0, rest = 0;
};

struct TrsmSteps {
  std::vector<TrsmStep> steps{};
  std::vector<GemmProblem> products{};  ///< all different
};

/// By halves whose size is a power of two times `block`, so that products are deep and few of them differ.
TrsmSteps trsm_steps(const TrsmSystem& system, std::uint64_t block);

/// Block after block, each with an update of all other rows.
TrsmSteps trsm_steps_by_rows(const TrsmSystem& system, std::uint64_t block);

}  // namespace tilewright::detail
