#include <cblas.h>

#include <type_traits>

#include "support/second_opinion.hpp"
#include "verification/gemm/host_gemm.hpp"

namespace tilewright::test {

template <typename T>
std::vector<T> openblas_gemm(const GemmProblem& p, const HostOperands<T>& host) {
  const auto converted = [](Transpose transpose) {
    return transpose == Transpose::no ? CblasNoTrans : transpose == Transpose::yes ? CblasTrans : CblasConjTrans;
  };
  const T alpha = verification::scalar_of<T>(host.alpha), beta = verification::scalar_of<T>(host.beta);
  // Complex scalars are passed by address.
  const auto given = [](const T& scalar) {
    if constexpr (detail::is_complex_host_type<T>)
      return &scalar;
    else
      return scalar;
  };
  const auto narrow = [](std::uint64_t size) { return static_cast<int>(size); };
  const auto layout = p.layout == Layout::row_major ? CblasRowMajor : CblasColMajor;
  std::vector<T> c = host.c;
  const auto call = [&](const auto& function) {
    function(layout, converted(p.trans_a), converted(p.trans_b), narrow(p.m), narrow(p.n), narrow(p.k), given(alpha),
             host.a.data(), narrow(dense_leading(p, p.trans_a, p.m, p.k)), host.b.data(),
             narrow(dense_leading(p, p.trans_b, p.k, p.n)), given(beta), c.data(),
             narrow(dense_leading(p, Transpose::no, p.m, p.n)));
  };
  if constexpr (std::is_same_v<T, float>) {
    call(cblas_sgemm);
  } else if constexpr (std::is_same_v<T, double>) {
    call(cblas_dgemm);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    call(cblas_cgemm);
  } else {
    call(cblas_zgemm);
  }
  return c;
}

template std::vector<float> openblas_gemm(const GemmProblem&, const HostOperands<float>&);
template std::vector<double> openblas_gemm(const GemmProblem&, const HostOperands<double>&);
template std::vector<std::complex<float>> openblas_gemm(const GemmProblem&, const HostOperands<std::complex<float>>&);
template std::vector<std::complex<double>> openblas_gemm(const GemmProblem&, const HostOperands<std::complex<double>>&);

}  // namespace tilewright::test
