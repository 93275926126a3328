// A matrix product in plain loops, for tests of the steps that algorithms divide a problem into.
#pragma once

#include <complex>
#include <cstdint>

#include "tilewright/gemm_problem.hpp"

namespace tilewright::test {

/// Adds a batch of row-major products to C, in double precision. If `begins`, C is overwritten instead.
inline void add_product(const GemmProblem& p, const std::complex<double>* a, const std::complex<double>* b,
                        std::complex<double>* c, bool begins) {
  const auto element = [](const std::complex<double>* x, Transpose trans, std::uint64_t ld, std::uint64_t i,
                          std::uint64_t j) {
    const std::complex<double> value = trans == Transpose::no ? x[i * ld + j] : x[j * ld + i];
    return trans == Transpose::conjugate_transpose ? std::conj(value) : value;
  };
  for (std::uint64_t x = 0; x < p.batch.count; ++x)
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) {
        std::complex<double> sum = 0;
        for (std::uint64_t k = 0; k < p.k; ++k)
          sum += element(a + x * p.batch.stride_a, p.trans_a, p.lda, i, k) *
                 element(b + x * p.batch.stride_b, p.trans_b, p.ldb, k, j);
        std::complex<double>& result = c[x * p.batch.stride_c + i * p.ldc + j];
        result = begins ? sum : result + sum;
      }
}

}  // namespace tilewright::test
