#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "compare/lapack/lapack_contender.hpp"
#include "compare/references.hpp"
#include "kernels/host_type.hpp"

namespace tilewright::tool {
namespace {

// Fortran passes everything by address, and the lengths of texts at the end. OpenBLAS has no header for these functions
// where it is built without LAPACKE.
using Int = const blasint;
using Text = const char*;
template <class T>
using Getrf = void(Int* m, Int* n, T* a, Int* lda, blasint* pivots, blasint* info);
template <class T>
using Getrs = void(Text trans, Int* n, Int* nrhs, const T* a, Int* lda, Int* pivots, T* b, Int* ldb, blasint* info,
                   std::size_t);
template <class T>
using Gesv = void(Int* n, Int* nrhs, T* a, Int* lda, blasint* pivots, T* b, Int* ldb, blasint* info);
template <class T>
using Getri = void(Int* n, T* a, Int* lda, Int* pivots, T* work, Int* size_of_work, blasint* info);
template <class T>
using Geqrf = void(Int* m, Int* n, T* a, Int* lda, T* tau, T* work, Int* size_of_work, blasint* info);
template <class T>
using Potrf = void(Text uplo, Int* n, T* a, Int* lda, blasint* info, std::size_t);
template <class T>
using Potrs = void(Text uplo, Int* n, Int* nrhs, const T* a, Int* lda, T* b, Int* ldb, blasint* info, std::size_t);
template <class T>
using Posv = void(Text uplo, Int* n, Int* nrhs, T* a, Int* lda, T* b, Int* ldb, blasint* info, std::size_t);
template <class T>
using Potri = Potrf<T>;

}  // namespace

extern "C" {
Getrf<float> sgetrf_;
Getrf<double> dgetrf_;
Getrs<float> sgetrs_;
Getrs<double> dgetrs_;
Gesv<float> sgesv_;
Gesv<double> dgesv_;
Getri<float> sgetri_;
Getri<double> dgetri_;
Geqrf<float> sgeqrf_;
Geqrf<double> dgeqrf_;
Geqrf<std::complex<float>> cgeqrf_;
Geqrf<std::complex<double>> zgeqrf_;
Potrf<float> spotrf_;
Potrf<double> dpotrf_;
Potrs<float> spotrs_;
Potrs<double> dpotrs_;
Posv<float> sposv_;
Posv<double> dposv_;
Getrf<std::complex<float>> cgetrf_;
Getrf<std::complex<double>> zgetrf_;
Getrs<std::complex<float>> cgetrs_;
Getrs<std::complex<double>> zgetrs_;
Gesv<std::complex<float>> cgesv_;
Gesv<std::complex<double>> zgesv_;
Getri<std::complex<float>> cgetri_;
Getri<std::complex<double>> zgetri_;
Potrf<std::complex<float>> cpotrf_;
Potrf<std::complex<double>> zpotrf_;
Potrs<std::complex<float>> cpotrs_;
Potrs<std::complex<double>> zpotrs_;
Posv<std::complex<float>> cposv_;
Posv<std::complex<double>> zposv_;
Potri<float> spotri_;
Potri<double> dpotri_;
Potri<std::complex<float>> cpotri_;
Potri<std::complex<double>> zpotri_;
}

namespace {

template <class T>
struct Functions;
template <>
struct Functions<float> {
  static constexpr auto getrf = sgetrf_;
  static constexpr auto getrs = sgetrs_;
  static constexpr auto gesv = sgesv_;
  static constexpr auto getri = sgetri_;
  static constexpr auto geqrf = sgeqrf_;
  static constexpr auto potrf = spotrf_;
  static constexpr auto potrs = spotrs_;
  static constexpr auto posv = sposv_;
  static constexpr auto potri = spotri_;
  static constexpr auto trsm = cblas_strsm;
  static constexpr auto trmm = cblas_strmm;
  static constexpr auto symm = cblas_ssymm;
};
template <>
struct Functions<double> {
  static constexpr auto getrf = dgetrf_;
  static constexpr auto getrs = dgetrs_;
  static constexpr auto gesv = dgesv_;
  static constexpr auto getri = dgetri_;
  static constexpr auto geqrf = dgeqrf_;
  static constexpr auto potrf = dpotrf_;
  static constexpr auto potrs = dpotrs_;
  static constexpr auto posv = dposv_;
  static constexpr auto potri = dpotri_;
  static constexpr auto trsm = cblas_dtrsm;
  static constexpr auto trmm = cblas_dtrmm;
  static constexpr auto symm = cblas_dsymm;
};

// CBLAS passes complex scalars by address.
template <class T, auto function>
struct ComplexTriangle {
  void operator()(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag,
                  blasint m, blasint n, const T& alpha, const T* a, blasint lda, T* b, blasint ldb) const {
    function(order, side, uplo, trans, diag, m, n, &alpha, a, lda, b, ldb);
  }
};
template <class T, auto function>
struct ComplexSymmetric {
  void operator()(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, blasint m, blasint n, const T& alpha, const T* a,
                  blasint lda, const T* b, blasint ldb, const T& beta, T* c, blasint ldc) const {
    function(order, side, uplo, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc);
  }
};

template <>
struct Functions<std::complex<float>> {
  static constexpr auto getrf = cgetrf_;
  static constexpr auto getrs = cgetrs_;
  static constexpr auto gesv = cgesv_;
  static constexpr auto getri = cgetri_;
  static constexpr auto potrf = cpotrf_;
  static constexpr auto potrs = cpotrs_;
  static constexpr auto posv = cposv_;
  static constexpr auto potri = cpotri_;
  static constexpr ComplexTriangle<std::complex<float>, cblas_ctrsm> trsm{};
  static constexpr ComplexTriangle<std::complex<float>, cblas_ctrmm> trmm{};
  static constexpr ComplexSymmetric<std::complex<float>, cblas_csymm> symm{};
  static constexpr ComplexSymmetric<std::complex<float>, cblas_chemm> hemm{};
  static constexpr auto geqrf = cgeqrf_;
};
template <>
struct Functions<std::complex<double>> {
  static constexpr auto getrf = zgetrf_;
  static constexpr auto getrs = zgetrs_;
  static constexpr auto gesv = zgesv_;
  static constexpr auto getri = zgetri_;
  static constexpr auto potrf = zpotrf_;
  static constexpr auto potrs = zpotrs_;
  static constexpr auto posv = zposv_;
  static constexpr auto potri = zpotri_;
  static constexpr ComplexTriangle<std::complex<double>, cblas_ztrsm> trsm{};
  static constexpr ComplexTriangle<std::complex<double>, cblas_ztrmm> trmm{};
  static constexpr ComplexSymmetric<std::complex<double>, cblas_zsymm> symm{};
  static constexpr ComplexSymmetric<std::complex<double>, cblas_zhemm> hemm{};
  static constexpr auto geqrf = zgeqrf_;
};

/// The arguments of a call for one problem of a batch.
template <class T>
struct Arguments {
  const LapackProblem& problem;
  blasint m, n, nrhs;
  Text uplo, trans;
  T* a;
  const T* original_b;
  T* b;
  blasint* pivots;
  T* tau;
  blasint* info;
  std::vector<T>& work;
};

template <class T>
struct NamedCall {
  std::string_view name;
  void (*call)(const Arguments<T>&);
};

template <class T, class F = Functions<T>>
constexpr NamedCall<T> general_calls[] = {
    {"getrf", [](const Arguments<T>& x) { F::getrf(&x.m, &x.n, x.a, &x.m, x.pivots, x.info); }},
    {"getrs",
     [](const Arguments<T>& x) { F::getrs(x.trans, &x.n, &x.nrhs, x.a, &x.n, x.pivots, x.b, &x.n, x.info, 1); }},
    {"gesv", [](const Arguments<T>& x) { F::gesv(&x.n, &x.nrhs, x.a, &x.n, x.pivots, x.b, &x.n, x.info); }},
    {"getri",
     [](const Arguments<T>& x) {  // in place: B begins as A
       const auto size = static_cast<blasint>(x.work.size());
       F::getri(&x.n, x.b, &x.n, x.pivots, x.work.data(), &size, x.info);
     }},
    {"geqrf",
     [](const Arguments<T>& x) {
       const auto size = static_cast<blasint>(x.work.size());
       F::geqrf(&x.m, &x.n, x.a, &x.m, x.tau, x.work.data(), &size, x.info);
     }},
};

CBLAS_TRANSPOSE cblas_trans(Transpose trans) {
  return trans == Transpose::no ? CblasNoTrans : trans == Transpose::yes ? CblasTrans : CblasConjTrans;
}

template <class T, class F = Functions<T>>
constexpr NamedCall<T> other_calls[] = {
    {"potrf", [](const Arguments<T>& x) { F::potrf(x.uplo, &x.n, x.a, &x.n, x.info, 1); }},
    {"potrs", [](const Arguments<T>& x) { F::potrs(x.uplo, &x.n, &x.nrhs, x.a, &x.n, x.b, &x.n, x.info, 1); }},
    {"posv", [](const Arguments<T>& x) { F::posv(x.uplo, &x.n, &x.nrhs, x.a, &x.n, x.b, &x.n, x.info, 1); }},
    {"potri", [](const Arguments<T>& x) { F::potri(x.uplo, &x.n, x.a, &x.n, x.info, 1); }},
    {"trsm",
     [](const Arguments<T>& x) {
       const LapackProblem& p = x.problem;
       const auto rows = static_cast<blasint>(p.rows_of_b()), columns = static_cast<blasint>(p.columns_of_b());
       F::trsm(CblasColMajor, p.side == Side::left ? CblasLeft : CblasRight,
               p.uplo == Uplo::lower ? CblasLower : CblasUpper, cblas_trans(p.trans),
               p.diag == Diag::unit ? CblasUnit : CblasNonUnit, rows, columns, 1, x.a, x.n, x.b, rows);
     }},
    {"trmm",
     [](const Arguments<T>& x) {
       const LapackProblem& p = x.problem;
       const auto rows = static_cast<blasint>(p.rows_of_b()), columns = static_cast<blasint>(p.columns_of_b());
       F::trmm(CblasColMajor, p.side == Side::left ? CblasLeft : CblasRight,
               p.uplo == Uplo::lower ? CblasLower : CblasUpper, cblas_trans(p.trans),
               p.diag == Diag::unit ? CblasUnit : CblasNonUnit, rows, columns, 1, x.a, x.n, x.b, rows);
     }},
    {"symm",
     [](const Arguments<T>& x) {
       const LapackProblem& p = x.problem;
       const auto rows = static_cast<blasint>(p.rows_of_b()), columns = static_cast<blasint>(p.columns_of_b());
       const auto multiply = [&](const auto& function) {
         function(CblasColMajor, p.side == Side::left ? CblasLeft : CblasRight,
                  p.uplo == Uplo::lower ? CblasLower : CblasUpper, rows, columns, 1, x.a, x.n, x.original_b, rows, 0,
                  x.b, rows);
       };
       if constexpr (detail::is_complex_host_type<T>)
         if (p.operation->is_hermitian()) return multiply(F::hemm);
       multiply(F::symm);
     }},
};

template <class T>
class Call {
 public:
  Call(const LapackProblem& problem, const LapackData& data)
      : problem_(problem), data_(data), a_(data.a), b_(data.b), tau_(data.tau), info_(problem.batch, 0) {
    const auto find = [&](const auto& calls) {
      for (const NamedCall<T>& named : calls)
        if (named.name == (problem.operation->name == "hemm" ? "symm" : problem.operation->name)) call_ = named.call;
    };
    find(general_calls<T>);
    find(other_calls<T>);
    if (call_ == nullptr) throw std::logic_error("an operation of LAPACK has no call of OpenBLAS");
    for (const std::int64_t pivot : data.pivots) pivots_.push_back(static_cast<blasint>(pivot + 1));
    if (problem.operation->inverts() && problem.operation->has_pivots()) {
      const auto n = static_cast<blasint>(problem.n), query = blasint{-1};
      T best{};
      Functions<T>::getri(&n, nullptr, &n, pivots_.data(), &best, &query, info_.data());
      work_.resize(std::max<std::size_t>(static_cast<std::size_t>(std::real(best)), problem.n));
    }
    if (problem.operation->has_tau()) {
      const auto m = static_cast<blasint>(problem.m), n = static_cast<blasint>(problem.n), query = blasint{-1};
      T best{};
      Functions<T>::geqrf(&m, &n, nullptr, &m, nullptr, &best, &query, info_.data());
      work_.resize(std::max<std::size_t>(static_cast<std::size_t>(std::real(best)), problem.n));
    }
  }

  void restore() {
    if (problem_.operation->overwrites_a()) a_ = data_.a;
    b_ = data_.b;
  }

  void call() {
    const auto at = [&](std::vector<std::byte>& bytes, std::uint64_t elements, std::uint64_t x) {
      return bytes.empty() ? nullptr : reinterpret_cast<T*>(bytes.data()) + x * elements;
    };
    const auto original_b = [&](std::uint64_t elements, std::uint64_t x) {
      return data_.b.empty() ? nullptr : reinterpret_cast<const T*>(data_.b.data()) + x * elements;
    };
    const LapackProblem& p = problem_;
    for (std::uint64_t x = 0; x < p.batch; ++x)
      call_({.problem = p,
             .m = static_cast<blasint>(p.m),
             .n = static_cast<blasint>(p.n),
             .nrhs = static_cast<blasint>(p.nrhs),
             .uplo = p.uplo == Uplo::lower ? "L" : "U",
             .trans = p.trans == Transpose::no    ? "N"
                      : p.trans == Transpose::yes ? "T"
                                                  : "C",
             .a = at(a_, p.m * p.n, x),
             .original_b = original_b(p.rows_of_b() * p.columns_of_b(), x),
             .b = at(b_, p.rows_of_b() * p.columns_of_b(), x),
             .pivots = pivots_.data() + x * p.pivots(),
             .tau = at(tau_, p.reflectors(), x),
             .info = &info_[x],
             .work = work_});
  }

  LapackData result() const {
    LapackData data{.a = a_, .b = b_, .pivots = {}, .info = {}, .tau = tau_};
    for (const blasint pivot : pivots_) data.pivots.push_back(std::int64_t{pivot} - 1);
    if (problem_.operation->has_info()) data.info.assign(info_.begin(), info_.end());
    return data;
  }

 private:
  const LapackProblem& problem_;
  const LapackData& data_;
  std::vector<std::byte> a_, b_, tau_;
  std::vector<blasint> pivots_, info_;
  std::vector<T> work_;
  void (*call_)(const Arguments<T>&) = nullptr;
};

template <class T>
LapackContender contender_of(const LapackProblem& problem, const LapackData& data) {
  const auto call = std::make_shared<Call<T>>(problem, data);
  return {.name = "openblas",
          .restore = [call] { call->restore(); },
          .call = [call] { call->call(); },
          .result = [call] { return call->result(); },
          .settle = let_openblas_sleep};
}

}  // namespace

std::optional<LapackContender> openblas_lapack_contender(const LapackProblem& problem, const LapackData& data) {
  constexpr std::uint64_t most = std::numeric_limits<blasint>::max();
  if (std::max({problem.m, problem.n, problem.nrhs}) > most) return {};
  if (problem.type == DataType::f64) return contender_of<double>(problem, data);
  if (problem.type == DataType::c64) return contender_of<std::complex<float>>(problem, data);
  if (problem.type == DataType::c128) return contender_of<std::complex<double>>(problem, data);
  return contender_of<float>(problem, data);
}

std::string openblas_kernels() {
  const int threads = openblas_get_num_threads();
  return fmt::format("{}, {} thread{}", openblas_get_corename(), threads, threads == 1 ? "" : "s");
}

}  // namespace tilewright::tool
