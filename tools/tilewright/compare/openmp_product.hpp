// Sparse times dense with plain OpenMP loops, as a program without a library would write it.
#pragma once

#include <cstdint>
#include <vector>

#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tool {

/// Returns OpenMP's default number of threads; 0 if this build lacks OpenMP.
unsigned openmp_threads();

/// Computes C = A B with a row-major B of n columns. OpenMP's threads share the loop over rows. Indices have 32 bits if
/// these suffice.
template <class T>
class OpenmpProduct {
 public:
  /// The matrices must outlive this object.
  OpenmpProduct(const verification::HostCsr<T>& a, std::uint64_t n, const T* b, T* c);

  void multiply() const;

 private:
  const verification::HostCsr<T>& a_;
  std::uint64_t n_;
  const T* b_;
  T* c_;
  std::vector<std::int32_t> offsets_, indices_;  // 32-bit copies; empty if 64 bits are needed
};

}  // namespace tilewright::tool
