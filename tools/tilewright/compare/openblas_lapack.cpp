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
using Ormqr = void(Text side, Text trans, Int* m, Int* n, Int* k, const T* a, Int* lda, const T* tau, T* c, Int* ldc,
                   T* work, Int* size_of_work, blasint* info, std::size_t, std::size_t);
template <class T>
using Orgqr = void(Int* m, Int* n, Int* k, T* a, Int* lda, const T* tau, T* work, Int* size_of_work, blasint* info);
template <class T>
using Gels = void(Text trans, Int* m, Int* n, Int* nrhs, T* a, Int* lda, T* b, Int* ldb, T* work, Int* size_of_work,
                  blasint* info, std::size_t);
template <class T>
using Potrf = void(Text uplo, Int* n, T* a, Int* lda, blasint* info, std::size_t);
template <class T>
using Potrs = void(Text uplo, Int* n, Int* nrhs, const T* a, Int* lda, T* b, Int* ldb, blasint* info, std::size_t);
template <class T>
using Posv = void(Text uplo, Int* n, Int* nrhs, T* a, Int* lda, T* b, Int* ldb, blasint* info, std::size_t);
template <class T>
using Potri = Potrf<T>;

template <class T>
struct Functions;

}  // namespace

// Declares LAPACK's functions for one type, and names them and CBLAS's in Functions<type>. `letter` begins all names.
// The products with Q are called or for real numbers, un for complex ones. Real numbers have no hemm: it is symm.
#define TILEWRIGHT_DECLARE_FUNCTIONS(type, letter, q, hermitian) \
  extern "C" {                                                   \
  Getrf<type> letter##getrf_;                                    \
  Getrs<type> letter##getrs_;                                    \
  Gesv<type> letter##gesv_;                                      \
  Getri<type> letter##getri_;                                    \
  Geqrf<type> letter##geqrf_;                                    \
  Ormqr<type> letter##q##mqr_;                                   \
  Orgqr<type> letter##q##gqr_;                                   \
  Gels<type> letter##gels_;                                      \
  Potrf<type> letter##potrf_;                                    \
  Potrs<type> letter##potrs_;                                    \
  Posv<type> letter##posv_;                                      \
  Potri<type> letter##potri_;                                    \
  }                                                              \
  namespace {                                                    \
  template <>                                                    \
  struct Functions<type> {                                       \
    static constexpr auto getrf = letter##getrf_;                \
    static constexpr auto getrs = letter##getrs_;                \
    static constexpr auto gesv = letter##gesv_;                  \
    static constexpr auto getri = letter##getri_;                \
    static constexpr auto geqrf = letter##geqrf_;                \
    static constexpr auto ormqr = letter##q##mqr_;               \
    static constexpr auto orgqr = letter##q##gqr_;               \
    static constexpr auto gels = letter##gels_;                  \
    static constexpr auto potrf = letter##potrf_;                \
    static constexpr auto potrs = letter##potrs_;                \
    static constexpr auto posv = letter##posv_;                  \
    static constexpr auto potri = letter##potri_;                \
    static constexpr auto trsm = cblas_##letter##trsm;           \
    static constexpr auto trmm = cblas_##letter##trmm;           \
    static constexpr auto symm = cblas_##letter##symm;           \
    static constexpr auto hemm = cblas_##letter##hermitian;      \
  };                                                             \
  }
TILEWRIGHT_DECLARE_FUNCTIONS(float, s, or, symm)
TILEWRIGHT_DECLARE_FUNCTIONS(double, d, or, symm)
TILEWRIGHT_DECLARE_FUNCTIONS(std::complex<float>, c, un, hemm)
TILEWRIGHT_DECLARE_FUNCTIONS(std::complex<double>, z, un, hemm)
#undef TILEWRIGHT_DECLARE_FUNCTIONS

namespace {

/// The arguments of a call for one problem of a batch.
template <class T>
struct Arguments {
  const LapackProblem& problem;
  blasint m, n, nrhs, rows_of_b, columns_of_b;
  Text uplo, trans, side;
  T* a;
  const T* original_b;
  T* b;
  blasint* pivots;
  T* tau;
  T* work;
  blasint size_of_work;  ///< -1: the function only stores the best size in the first element of `work`
  blasint* info;
};

template <class T>
struct NamedCall {
  std::string_view name;
  void (*call)(const Arguments<T>&);
  bool has_work = false;
};

template <class T, class F = Functions<T>>
constexpr NamedCall<T> lapack_calls[] = {
    {"getrf", [](const Arguments<T>& x) { F::getrf(&x.m, &x.n, x.a, &x.m, x.pivots, x.info); }},
    {"getrs",
     [](const Arguments<T>& x) { F::getrs(x.trans, &x.n, &x.nrhs, x.a, &x.n, x.pivots, x.b, &x.n, x.info, 1); }},
    {"gesv", [](const Arguments<T>& x) { F::gesv(&x.n, &x.nrhs, x.a, &x.n, x.pivots, x.b, &x.n, x.info); }},
    {"getri",  // in place: B begins as A
     [](const Arguments<T>& x) { F::getri(&x.n, x.b, &x.n, x.pivots, x.work, &x.size_of_work, x.info); }, true},
    {"geqrf", [](const Arguments<T>& x) { F::geqrf(&x.m, &x.n, x.a, &x.m, x.tau, x.work, &x.size_of_work, x.info); },
     true},
    {"ormqr",
     [](const Arguments<T>& x) {
       F::ormqr(x.side, x.trans, &x.rows_of_b, &x.columns_of_b, &x.n, x.a, &x.m, x.tau, x.b, &x.rows_of_b, x.work,
                &x.size_of_work, x.info, 1, 1);
     },
     true},
    {"orgqr",
     [](const Arguments<T>& x) { F::orgqr(&x.m, &x.n, &x.n, x.a, &x.m, x.tau, x.work, &x.size_of_work, x.info); },
     true},
    {"gels",
     [](const Arguments<T>& x) {
       F::gels(x.trans, &x.m, &x.n, &x.nrhs, x.a, &x.m, x.b, &x.rows_of_b, x.work, &x.size_of_work, x.info, 1);
     },
     true},
    {"potrf", [](const Arguments<T>& x) { F::potrf(x.uplo, &x.n, x.a, &x.n, x.info, 1); }},
    {"potrs", [](const Arguments<T>& x) { F::potrs(x.uplo, &x.n, &x.nrhs, x.a, &x.n, x.b, &x.n, x.info, 1); }},
    {"posv", [](const Arguments<T>& x) { F::posv(x.uplo, &x.n, &x.nrhs, x.a, &x.n, x.b, &x.n, x.info, 1); }},
    {"potri", [](const Arguments<T>& x) { F::potri(x.uplo, &x.n, x.a, &x.n, x.info, 1); }},
};

CBLAS_SIDE cblas_side(Side side) { return side == Side::left ? CblasLeft : CblasRight; }
CBLAS_UPLO cblas_uplo(Uplo uplo) { return uplo == Uplo::lower ? CblasLower : CblasUpper; }
CBLAS_DIAG cblas_diag(Diag diag) { return diag == Diag::unit ? CblasUnit : CblasNonUnit; }
CBLAS_TRANSPOSE cblas_trans(Transpose trans) {
  return trans == Transpose::no ? CblasNoTrans : trans == Transpose::yes ? CblasTrans : CblasConjTrans;
}

// Returns a scalar as CBLAS takes it: complex ones by address.
template <class T>
auto scalar(const T& x) {
  if constexpr (detail::is_complex_host_type<T>)
    return &x;
  else
    return x;
}

template <class T>
void call_triangle(const auto& function, const Arguments<T>& x) {
  const T one = 1;
  function(CblasColMajor, cblas_side(x.problem.side), cblas_uplo(x.problem.uplo), cblas_trans(x.problem.trans),
           cblas_diag(x.problem.diag), x.rows_of_b, x.columns_of_b, scalar(one), x.a, x.n, x.b, x.rows_of_b);
}

template <class T>
void call_symmetric(const auto& function, const Arguments<T>& x) {
  const T one = 1, zero = 0;
  function(CblasColMajor, cblas_side(x.problem.side), cblas_uplo(x.problem.uplo), x.rows_of_b, x.columns_of_b,
           scalar(one), x.a, x.n, x.original_b, x.rows_of_b, scalar(zero), x.b, x.rows_of_b);
}

template <class T, class F = Functions<T>>
constexpr NamedCall<T> blas_calls[] = {
    {"trsm", [](const Arguments<T>& x) { call_triangle(F::trsm, x); }},
    {"trmm", [](const Arguments<T>& x) { call_triangle(F::trmm, x); }},
    {"symm", [](const Arguments<T>& x) { call_symmetric(F::symm, x); }},
    {"hemm", [](const Arguments<T>& x) { call_symmetric(F::hemm, x); }},
};

template <class T>
class Call {
 public:
  Call(const LapackProblem& problem, const LapackData& data)
      : problem_(problem), data_(data), a_(data.a), b_(data.b), tau_(data.tau), info_(problem.batch, 0) {
    const auto find = [&](const auto& calls) {
      for (const NamedCall<T>& named : calls)
        if (named.name == problem.operation->name) call_ = named;
    };
    find(lapack_calls<T>);
    find(blas_calls<T>);
    if (call_.call == nullptr) throw std::logic_error("an operation of LAPACK has no call of OpenBLAS");
    for (const std::int64_t pivot : data.pivots) pivots_.push_back(static_cast<blasint>(pivot + 1));
    if (call_.has_work) {
      work_.resize(1);
      Arguments<T> query = arguments(0);
      query.size_of_work = -1;
      call_.call(query);
      work_.resize(std::max<std::size_t>(static_cast<std::size_t>(std::real(work_[0])), 1));
    }
  }

  void restore() {
    if (problem_.operation->overwrites_a()) a_ = data_.a;
    b_ = data_.b;
  }

  void call() {
    for (std::uint64_t x = 0; x < problem_.batch; ++x) call_.call(arguments(x));
  }

  LapackData result() const {
    LapackData data{.a = a_, .b = b_, .pivots = {}, .info = {}, .tau = tau_};
    for (const blasint pivot : pivots_) data.pivots.push_back(std::int64_t{pivot} - 1);
    if (problem_.operation->has_info()) data.info.assign(info_.begin(), info_.end());
    return data;
  }

 private:
  Arguments<T> arguments(std::uint64_t x) {
    const auto at = [&](std::vector<std::byte>& bytes, std::uint64_t elements) {
      return bytes.empty() ? nullptr : reinterpret_cast<T*>(bytes.data()) + x * elements;
    };
    const LapackProblem& p = problem_;
    const std::uint64_t size_of_b = p.rows_of_b() * p.columns_of_b();
    return {.problem = p,
            .m = static_cast<blasint>(p.m),
            .n = static_cast<blasint>(p.n),
            .nrhs = static_cast<blasint>(p.nrhs),
            .rows_of_b = static_cast<blasint>(p.rows_of_b()),
            .columns_of_b = static_cast<blasint>(p.columns_of_b()),
            .uplo = p.uplo == Uplo::lower ? "L" : "U",
            .trans = p.trans == Transpose::no    ? "N"
                     : p.trans == Transpose::yes ? "T"
                                                 : "C",
            .side = p.side == Side::left ? "L" : "R",
            .a = at(a_, p.m * p.n),
            .original_b = data_.b.empty() ? nullptr : reinterpret_cast<const T*>(data_.b.data()) + x * size_of_b,
            .b = at(b_, size_of_b),
            .pivots = pivots_.data() + x * p.pivots(),
            .tau = at(tau_, p.reflectors()),
            .work = work_.data(),
            .size_of_work = static_cast<blasint>(work_.size()),
            .info = &info_[x]};
  }

  const LapackProblem& problem_;
  const LapackData& data_;
  std::vector<std::byte> a_, b_, tau_;
  std::vector<blasint> pivots_, info_;
  std::vector<T> work_;
  NamedCall<T> call_{};
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
