#include <cblas.h>

#include <limits>

#include "compare/transposition.hpp"

namespace tilewright::tool {

std::function<void()> openblas_transposition(const TransposeProblem& problem, const std::byte* a, std::byte* b) {
  constexpr std::uint64_t most = std::numeric_limits<blasint>::max();
  if (problem.m > most || problem.n > most) return {};
  const auto m = static_cast<blasint>(problem.m), n = static_cast<blasint>(problem.n);
  if (problem.type.number() == DataType::f32)
    return [=] {
      cblas_somatcopy(CblasRowMajor, CblasTrans, m, n, 1, reinterpret_cast<const float*>(a), n,
                      reinterpret_cast<float*>(b), m);
    };
  if (problem.type.number() == DataType::f64)
    return [=] {
      cblas_domatcopy(CblasRowMajor, CblasTrans, m, n, 1, reinterpret_cast<const double*>(a), n,
                      reinterpret_cast<double*>(b), m);
    };
  return {};
}

}  // namespace tilewright::tool
