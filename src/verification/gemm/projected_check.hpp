#pragma once

#include <string>
#include <vector>

#include "verification/gemm/host_gemm.hpp"

namespace tilewright::verification {

/// Checks a result C = A B bit by bit, for operands whose sums are exact in double precision, at the cost of reading
/// the matrices. Compares C x with A (B x) for a random vector x (Freivalds, "Probabilistic machines can use less
/// running time", 1977). Misses a wrong element with a probability of about 1/1000. If C's type has too few bits for a
/// sum, allows its rounding error.
template <class T, class C = T>
class ProjectedCheck {
 public:
  /// Reads A and B and keeps no reference to them. Assumes alpha = 1 and beta = 0.
  explicit ProjectedCheck(const HostGemm<T, C>& call);

  /// Describes the first wrong row of `c`, stored in the problem's layout; empty if there is none.
  std::string operator()(const C* c) const;

 private:
  GemmProblem problem_;
  std::vector<double> x_;
  std::vector<double> expected_;  // A (B x)
};

}  // namespace tilewright::verification
