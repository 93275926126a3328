#pragma once

#include <cstdint>
#include <vector>

#include "verification/common/column_groups.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::verification {

/// The factor that random data keep to: as strassen_error_factor(), but rounding errors of sums are taken to be
/// independent, so that they grow with the square root of k (N. Higham and T. Mary, "A new approach to probabilistic
/// rounding error analysis", 2019). The rigorous one is so large that a missing sum would hide behind it.
double strassen_random_factor(std::uint64_t k, unsigned levels);

/// Checks results of one call by the norm-wise bound factor u |alpha| |A| |B| + (levels + 3) u |beta| |C|, where |X| is
/// the largest |element| of X. Of large products some rows are compared.
template <class T>
class StrassenCheck {
 public:
  /// Reads the operands here and keeps nothing of them.
  StrassenCheck(const HostGemm<T>& call, double factor, unsigned levels);

  Comparison operator()(const T* c) const;

 private:
  GemmProblem problem_;
  double bound_;
  std::vector<std::uint64_t> rows_;
  std::vector<Expected<T>> expected_;
};

}  // namespace tilewright::verification
