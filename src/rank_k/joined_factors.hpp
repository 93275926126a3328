// The factors of a rank-2k update next to each other, so that one product computes the update.
#pragma once

#include "kernels/launch_sequence.hpp"
#include "rank_k/problem.hpp"

namespace tilewright::detail {

/// Whether an update of two terms must be one product: results of f16 and bf16 are rounded when they are stored, and
/// may be rounded only once.
bool needs_joined_factors(const RankKSystem& system);

/// The matrix J = [op(A) op(B) op(A)], laid out like the caller's matrices. The factors are its parts [op(A) op(B)] and
/// [op(B) op(A)].
struct JoinedFactors {
  std::uint64_t ld = 0;
  std::uint64_t apart = 0;   ///< elements from the first part to the second
  std::uint64_t stride = 0;  ///< elements from the J of one update to that of the next; 0: all updates share one
  std::uint64_t copies = 1;
  std::uint64_t bytes = 0;  ///< of all copies
};
JoinedFactors joined_factors(const RankKSystem& system);

/// Returns the update as one term, with the parts of J as A and B.
RankKSystem joined_system(const RankKSystem& system);

/// The compiled kernel that writes J. Calls set kernel arguments, so only one thread may call at a time. Keeps no
/// Engine.
class FactorJoiner {
 public:
  FactorJoiner(const Engine& engine, const RankKSystem& system);

  void join(CommandChain& chain, const MatrixRef& a, const MatrixRef& b, const MatrixRef& joined) const;

 private:
  LaunchSequence sequence_;
};

}  // namespace tilewright::detail
