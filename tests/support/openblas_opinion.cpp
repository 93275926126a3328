#include <cblas.h>

#include <type_traits>

#include "support/second_opinion.hpp"

namespace tilewright::test {

template <typename T>
std::vector<T> openblas_gemm(const GemmProblem& p, const HostOperands<T>& host) {
  const auto converted = [](Transpose transpose) { return transpose == Transpose::yes ? CblasTrans : CblasNoTrans; };
  const auto narrow = [](std::uint64_t size) { return static_cast<int>(size); };
  const auto layout = p.layout == Layout::row_major ? CblasRowMajor : CblasColMajor;
  std::vector<T> c = host.c;
  const auto call = [&](const auto& function) {
    function(layout, converted(p.trans_a), converted(p.trans_b), narrow(p.m), narrow(p.n), narrow(p.k),
             static_cast<T>(host.alpha), host.a.data(), narrow(dense_leading(p, p.trans_a, p.m, p.k)), host.b.data(),
             narrow(dense_leading(p, p.trans_b, p.k, p.n)), static_cast<T>(host.beta), c.data(),
             narrow(dense_leading(p, Transpose::no, p.m, p.n)));
  };
  if constexpr (std::is_same_v<T, float>) {
    call(cblas_sgemm);
  } else {
    call(cblas_dgemm);
  }
  return c;
}

template std::vector<float> openblas_gemm(const GemmProblem&, const HostOperands<float>&);
template std::vector<double> openblas_gemm(const GemmProblem&, const HostOperands<double>&);

}  // namespace tilewright::test
