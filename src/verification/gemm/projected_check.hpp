#pragma once

#include <string>
#include <vector>

#include "verification/gemm/host_gemm.hpp"

namespace tilewright::verification {

/// Checks a result C = A B to the bit, for operands whose sums are exact in double precision, at the cost of reading
/// the matrices: compares C x with A (B x) for a random vector x (Freivalds, "Probabilistic machines can use less
/// running time", 1977). An element that is wrong goes unseen with a chance of about 1/1000. Where C's type has too few
/// digits for a sum, that may be off by its rounding.
template <class T, class C = T>
class ProjectedCheck {
 public:
  /// Reads A and B here and keeps nothing of them; alpha is taken for 1 and beta for 0.
  explicit ProjectedCheck(const HostGemm<T, C>& call);

  /// Says what is wrong with `c`, stored as the call's problem says; empty where nothing is.
  std::string operator()(const C* c) const;

 private:
  GemmProblem problem_;
  std::vector<double> x_;
  std::vector<double> expected_;  // A (B x)
};

}  // namespace tilewright::verification
