// Sparse times dense as a program without a library does it, with OpenMP.
#pragma once

#include <cstdint>
#include <vector>

#include "verification/spmm/host_spmm.hpp"

namespace tilewright::tool {

/// Threads of its loops, as many as OpenMP takes by itself; 0 where this build lacks OpenMP.
unsigned openmp_threads();

/// C = A B with a row-major B of n columns: a loop over rows that OpenMP's threads share, of indices with 32 bits where
/// these suffice.
template <class T>
class OpenmpProduct {
 public:
  /// The matrices must outlive it.
  OpenmpProduct(const verification::HostCsr<T>& a, std::uint64_t n, const T* b, T* c);

  void multiply() const;

 private:
  const verification::HostCsr<T>& a_;
  std::uint64_t n_;
  const T* b_;
  T* c_;
  std::vector<std::int32_t> offsets_, indices_;  // empty where they do not suffice
};

}  // namespace tilewright::tool
