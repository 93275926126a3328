#include <cblas.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <type_traits>

#include "compare/level2_calls.hpp"
#include "kernels/host_type.hpp"

namespace tilewright::tool {
namespace {

using verification::Level2Call;
using verification::Level2Case;

struct CblasForm {
  CBLAS_UPLO uplo;
  CBLAS_TRANSPOSE trans;
  CBLAS_DIAG diag;
  blasint n;
};

template <class T>
std::function<void()> real_call(const Level2Case& test, const CblasForm& form, T* a, T* x, T* y) {
  const auto pick = []([[maybe_unused]] auto of_float, [[maybe_unused]] auto of_double) {
    if constexpr (std::is_same_v<T, float>)
      return of_float;
    else
      return of_double;
  };
  const auto [uplo, trans, diag, n] = form;
  const auto alpha = static_cast<T>(test.alpha.real()), beta = static_cast<T>(test.beta.real());
  switch (test.call) {
    case Level2Call::symv:
    case Level2Call::hemv:
      return [=, uplo = uplo, n = n, f = pick(cblas_ssymv, cblas_dsymv)] {
        f(CblasRowMajor, uplo, n, alpha, a, n, x, 1, beta, y, 1);
      };
    case Level2Call::trmv:
      return [=, uplo = uplo, trans = trans, diag = diag, n = n, f = pick(cblas_strmv, cblas_dtrmv)] {
        f(CblasRowMajor, uplo, trans, diag, n, a, n, x, 1);
      };
    case Level2Call::syr:
    case Level2Call::her:
      return
          [=, uplo = uplo, n = n, f = pick(cblas_ssyr, cblas_dsyr)] { f(CblasRowMajor, uplo, n, alpha, x, 1, a, n); };
    case Level2Call::syr2:
    case Level2Call::her2:
      return [=, uplo = uplo, n = n, f = pick(cblas_ssyr2, cblas_dsyr2)] {
        f(CblasRowMajor, uplo, n, alpha, x, 1, y, 1, a, n);
      };
  }
  return {};
}

// CBLAS has no complex symv, syr and syr2.
template <class T>
std::function<void()> complex_call(const Level2Case& test, const CblasForm& form, T* a, T* x, T* y) {
  const auto pick = []([[maybe_unused]] auto of_float, [[maybe_unused]] auto of_double) {
    if constexpr (std::is_same_v<T, std::complex<float>>)
      return of_float;
    else
      return of_double;
  };
  const auto [uplo, trans, diag, n] = form;
  const T alpha(test.alpha), beta(test.beta);
  switch (test.call) {
    case Level2Call::hemv:
      return [=, uplo = uplo, n = n, f = pick(cblas_chemv, cblas_zhemv)] {
        f(CblasRowMajor, uplo, n, &alpha, a, n, x, 1, &beta, y, 1);
      };
    case Level2Call::trmv:
      return [=, uplo = uplo, trans = trans, diag = diag, n = n, f = pick(cblas_ctrmv, cblas_ztrmv)] {
        f(CblasRowMajor, uplo, trans, diag, n, a, n, x, 1);
      };
    case Level2Call::her:
      return [=, uplo = uplo, n = n, f = pick(cblas_cher, cblas_zher)] {
        f(CblasRowMajor, uplo, n, alpha.real(), x, 1, a, n);
      };
    case Level2Call::her2:
      return [=, uplo = uplo, n = n, f = pick(cblas_cher2, cblas_zher2)] {
        f(CblasRowMajor, uplo, n, &alpha, x, 1, y, 1, a, n);
      };
    case Level2Call::symv:
    case Level2Call::syr:
    case Level2Call::syr2:
      break;
  }
  return {};
}

}  // namespace

std::function<void()> openblas_level2_call(const Level2Case& test, HostVectors& operands) {
  if (test.n > static_cast<std::uint64_t>(std::numeric_limits<blasint>::max())) return {};
  const CblasForm form{test.uplo == Uplo::lower ? CblasLower : CblasUpper,
                       test.trans == Transpose::no    ? CblasNoTrans
                       : test.trans == Transpose::yes ? CblasTrans
                                                      : CblasConjTrans,
                       test.diag == Diag::unit ? CblasUnit : CblasNonUnit, static_cast<blasint>(test.n)};
  const auto make = [&]<class T>(std::type_identity<T>) -> std::function<void()> {
    const auto elements = [&](std::size_t which) { return reinterpret_cast<T*>(operands[which].data()); };
    if constexpr (detail::is_complex_host_type<T>)
      return complex_call<T>(test, form, elements(0), elements(1), elements(2));
    else
      return real_call<T>(test, form, elements(0), elements(1), elements(2));
  };
  if (test.type == DataType::f32) return make(std::type_identity<float>());
  if (test.type == DataType::f64) return make(std::type_identity<double>());
  if (test.type == DataType::c64) return make(std::type_identity<std::complex<float>>());
  if (test.type == DataType::c128) return make(std::type_identity<std::complex<double>>());
  return {};
}

std::function<void()> openblas_ger_call(const GerProblem& problem, double alpha, HostVectors& operands) {
  if (std::max(problem.m, problem.n) > static_cast<std::uint64_t>(std::numeric_limits<blasint>::max())) return {};
  const auto m = static_cast<blasint>(problem.m), n = static_cast<blasint>(problem.n);
  // CBLAS passes complex scalars by address.
  const auto make = [&]<class T>(T factor, auto function) -> std::function<void()> {
    const auto elements = [&](std::size_t which) { return reinterpret_cast<T*>(operands[which].data()); };
    return [=, a = elements(0), x = elements(1), y = elements(2)] {
      if constexpr (detail::is_complex_host_type<T>)
        function(CblasRowMajor, m, n, &factor, x, 1, y, 1, a, n);
      else
        function(CblasRowMajor, m, n, factor, x, 1, y, 1, a, n);
    };
  };
  const auto narrow = static_cast<float>(alpha);
  if (problem.type == DataType::f32) return make(narrow, cblas_sger);
  if (problem.type == DataType::f64) return make(alpha, cblas_dger);
  if (problem.type == DataType::c64) return make(std::complex(narrow), cblas_cgeru);
  if (problem.type == DataType::c128) return make(std::complex(alpha), cblas_zgeru);
  return {};
}

}  // namespace tilewright::tool
