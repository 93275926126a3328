// Offsets of the matrices of a batch, for the core problem of a product.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gemm/core_problem.hpp"
#include "tilewright/gemm_operands.hpp"

namespace tilewright::detail {

/// Offsets of the matrices of a batch by offsets: first those of the core problem, then the caller's for the
/// preparations. All are in elements of the core problem.
class CoreOffsets {
 public:
  CoreOffsets(const CoreProblem& core, const GemmOffsets& offsets);
  CoreOffsets(const CoreOffsets&) = delete;
  CoreOffsets& operator=(const CoreOffsets&) = delete;

  const GemmOffsets& all() const { return all_; }

  /// Number of entries of such a table for `count` products.
  static std::uint64_t entries(const CoreProblem& core, std::uint64_t count) {
    return core.is_rewritten() ? 2 * count : count;
  }

 private:
  GemmOffsets all_;                                     // views of the caller's offsets, or
  std::array<std::vector<std::uint64_t>, 3> matrices_;  // of these
};

}  // namespace tilewright::detail
