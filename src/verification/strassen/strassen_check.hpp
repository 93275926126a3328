#pragma once

#include <cstdint>
#include <vector>

#include "verification/common/column_groups.hpp"
#include "verification/gemm/gemm_check.hpp"

namespace tilewright::verification {

/// Returns the error factor for random data. Like strassen_error_factor(), but assumes independent rounding errors,
/// which grow with the square root of k (N. Higham and T. Mary, "A new approach to probabilistic rounding error
/// analysis", 2019). The rigorous factor is so large that it would hide a missing sum.
double strassen_random_factor(std::uint64_t k, unsigned levels);

/// Checks results of one call against the norm-wise bound factor u |alpha| |A| |B| + (levels + 3) u |beta| |C|, where
/// |X| is the largest |element| of X. Large products are compared in some rows only.
template <class T>
class StrassenCheck {
 public:
  /// Reads the operands and keeps no reference to them.
  StrassenCheck(const HostGemm<T>& call, double factor, unsigned levels);

  Comparison operator()(const T* c) const;

 private:
  GemmProblem problem_;
  double bound_;
  std::vector<std::uint64_t> rows_;
  std::vector<Expected<T>> expected_;
};

}  // namespace tilewright::verification
