#include <cblas.h>

#include <complex>
#include <limits>

#include "compare/rank_k_workload.hpp"

namespace tilewright::tool {
namespace {

template <class T>
struct RankKFunctions;
template <>
struct RankKFunctions<float> {
  static constexpr auto syrk = cblas_ssyrk;
  static constexpr auto syr2k = cblas_ssyr2k;
};
template <>
struct RankKFunctions<double> {
  static constexpr auto syrk = cblas_dsyrk;
  static constexpr auto syr2k = cblas_dsyr2k;
};
template <>
struct RankKFunctions<std::complex<float>> {
  static constexpr auto syrk = cblas_csyrk;
  static constexpr auto syr2k = cblas_csyr2k;
  static constexpr auto herk = cblas_cherk;
  static constexpr auto her2k = cblas_cher2k;
};
template <>
struct RankKFunctions<std::complex<double>> {
  static constexpr auto syrk = cblas_zsyrk;
  static constexpr auto syr2k = cblas_zsyr2k;
  static constexpr auto herk = cblas_zherk;
  static constexpr auto her2k = cblas_zher2k;
};

template <class T>
std::function<void()> real_update(RankKWorkload& workload, CBLAS_TRANSPOSE trans, blasint n, blasint k) {
  using F = RankKFunctions<T>;
  const auto lda = static_cast<blasint>(workload.task().lda());
  const T *a = reinterpret_cast<const T*>(workload.host_a()), *b = reinterpret_cast<const T*>(workload.host_b());
  T* const c = reinterpret_cast<T*>(workload.host_c());
  if (!workload.task().routine->has_b)
    return [=] { F::syrk(CblasRowMajor, CblasLower, trans, n, k, 1, a, lda, 0, c, n); };
  return [=] { F::syr2k(CblasRowMajor, CblasLower, trans, n, k, 1, a, lda, b, lda, 0, c, n); };
}

template <class T>
std::function<void()> complex_update(RankKWorkload& workload, CBLAS_TRANSPOSE trans, blasint n, blasint k) {
  using F = RankKFunctions<std::complex<T>>;
  static constexpr std::complex<T> one{1, 0}, zero{0, 0};
  const auto lda = static_cast<blasint>(workload.task().lda());
  const void *a = workload.host_a(), *b = workload.host_b();
  void* const c = workload.host_c();
  const bool hermitian = workload.task().routine->symmetry == Symmetry::hermitian;
  if (!workload.task().routine->has_b) {
    if (hermitian) return [=] { F::herk(CblasRowMajor, CblasLower, trans, n, k, T{1}, a, lda, T{0}, c, n); };
    return [=] { F::syrk(CblasRowMajor, CblasLower, trans, n, k, &one, a, lda, &zero, c, n); };
  }
  if (hermitian) return [=] { F::her2k(CblasRowMajor, CblasLower, trans, n, k, &one, a, lda, b, lda, T{0}, c, n); };
  return [=] { F::syr2k(CblasRowMajor, CblasLower, trans, n, k, &one, a, lda, b, lda, &zero, c, n); };
}

}  // namespace

// Only recent versions have gemmt.
std::function<void()> openblas_rank_k_call(RankKWorkload& workload) {
  const RankKTask& task = workload.task();
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<blasint>::max());
  if (task.routine->has_second_trans || task.n > largest || task.k > largest) return {};
  const bool hermitian = is_complex(task.type) && task.routine->symmetry == Symmetry::hermitian;
  const CBLAS_TRANSPOSE trans = task.trans_a == Transpose::no ? CblasNoTrans : hermitian ? CblasConjTrans : CblasTrans;
  const auto n = static_cast<blasint>(task.n), k = static_cast<blasint>(task.k);
  switch (task.type) {
    case DataType::f32:
      return real_update<float>(workload, trans, n, k);
    case DataType::f64:
      return real_update<double>(workload, trans, n, k);
    case DataType::c64:
      return complex_update<float>(workload, trans, n, k);
    case DataType::c128:
      return complex_update<double>(workload, trans, n, k);
    default:
      return {};
  }
}

}  // namespace tilewright::tool
