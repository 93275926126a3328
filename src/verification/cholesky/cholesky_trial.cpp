#include <algorithm>
#include <bit>
#include <limits>

#include "tilewright/cholesky_inverse.hpp"
#include "verification/cholesky/cholesky_case.hpp"
#include "verification/cholesky/cholesky_residuals.hpp"
#include "verification/cholesky/definite_matrix.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/small_numbers.hpp"

namespace tilewright::verification {
namespace {

template <class T>
class CholeskyTrial {
  using Real = detail::Part<T>;

 public:
  CholeskyTrial(const Engine& engine, const CholeskyCase& test)
      : engine_(engine),
        test_(test),
        a_(engine, a_shape(test), test.storage.offsets[0], test.storage.memory,
           test.storage.shares_a ? 1 : test.storage.count, SystemCase::stride_of(a_shape(test))),
        b_(engine, b_shape(test), test.storage.offsets[1], test.storage.memory, test.storage.count,
           SystemCase::stride_of(b_shape(test))),
        info_(engine, {test.storage.count, 1, 1 + test.info_gap}, 1, Memory::banded),
        small_(engine.device()) {
    a_.poison();
    RandomStream random(test.storage.seed);
    for (std::uint64_t x = 0; x < test.storage.count; ++x) fill(random, x);
  }

  std::string verify() {
    GuardedCall call(engine_);
    call.add("A", a_, [&](std::uint64_t line, std::uint64_t i) { return !only_solves() && is_in_triangle(line, i); });
    if (solves()) call.add("B", b_, true);
    if (factors()) call.add("info", info_, true);
    return call.verify([&](cl_command_queue queue) { return enqueue(queue); }, [&] { return wrong_systems(); });
  }

 private:
  static StoredShape a_shape(const CholeskyCase& test) {
    return stored_shape(test.storage.layout, test.n, test.n, test.storage.gaps[0]);
  }
  static StoredShape b_shape(const CholeskyCase& test) {
    return stored_shape(test.storage.layout, test.n, test.nrhs, test.storage.gaps[1]);
  }

  bool factors() const { return test_.factors(); }
  bool solves() const { return test_.solves(); }
  bool only_solves() const { return test_.call == CholeskyCall::potrs; }
  bool inverts() const { return test_.call == CholeskyCall::potri; }
  bool is_in_triangle(std::uint64_t line, std::uint64_t i) const {
    const bool is_row = test_.storage.layout == Layout::row_major;
    return (test_.uplo == Uplo::lower) == is_row ? i <= line : i >= line;
  }
  // Returns the order of the first leading minor of matrix x that is not positive definite; 0 if there is none. One
  // matrix of a batch has it.
  std::uint64_t indefinite(std::uint64_t x) const { return x == test_.storage.count / 2 ? test_.indefinite : 0; }

  // Fills the triangle of A with a matrix, or for potrs with a factor, and B.
  void fill(RandomStream& random, std::uint64_t x) {
    if (x < a_.count()) {
      // Half of the other triangle is NaN, which spreads if it is read. The others are numbers, which change if
      // something is subtracted from them, as NaN does not.
      for (std::uint64_t i = 0; i < test_.n; ++i)
        for (std::uint64_t j = i + 1; j < test_.n; ++j)
          if ((i + j) % 2 == 0) *element(x, i, j) = T{77};
      triangle_ = draw_cholesky<T>(random, test_.data, test_.n, factors(), small_.min_exponent());
      for (std::uint64_t i = 0; i < test_.n; ++i)
        for (std::uint64_t j = 0; j <= i; ++j) *element(x, i, j) = triangle_(i, j);
      if constexpr (detail::is_complex_host_type<T>)
        for (std::uint64_t i = 0; i < test_.n && factors(); ++i)  // imaginary parts on the diagonal are ignored
          element(x, i, i)->imag(i % 2 == 0 ? std::numeric_limits<Real>::quiet_NaN() : Real{1});
      if (const std::uint64_t order = indefinite(x); order != 0) {
        T& pivot = *element(x, order - 1, order - 1);
        pivot = test_.has_nan ? T{std::numeric_limits<Real>::quiet_NaN()} : -pivot;
      }
    }
    for (std::uint64_t i = 0; i < test_.n; ++i)
      for (std::uint64_t column = 0; column < test_.nrhs; ++column)
        b_.data(x)[index_in(b_.shape(), test_.storage.layout, i, column)] =
            with_imaginary<T>(random.symmetric(), [&] { return random.symmetric(); }) * triangle_.scales[i];
  }

  T* element(std::uint64_t x, std::uint64_t i, std::uint64_t j) {
    if (test_.uplo == Uplo::upper) std::swap(i, j);
    return a_.data(x) + index_in(a_.shape(), test_.storage.layout, i, j);
  }

  Event enqueue(cl_command_queue queue) const {
    const SystemCase& storage = test_.storage;
    const Batch batch{.count = storage.count,
                      .stride_a = storage.shares_a ? 0 : SystemCase::stride_of(a_.shape()),
                      .stride_b = solves() ? SystemCase::stride_of(b_.shape()) : 0,
                      .stride_info = factors() && test_.info_gap > 0 ? 1 + test_.info_gap : 0};
    switch (test_.call) {
      case CholeskyCall::potrf:
        return potrf(engine_, queue,
                     {.type = storage.type,
                      .layout = storage.layout,
                      .uplo = test_.uplo,
                      .n = test_.n,
                      .lda = a_.shape().leading,
                      .batch = batch},
                     {.a = a_.ref(), .info = info_.ref()}, {}, storage.products);
      case CholeskyCall::potrs:
        return potrs(engine_, queue,
                     {.type = storage.type,
                      .layout = storage.layout,
                      .uplo = test_.uplo,
                      .n = test_.n,
                      .nrhs = test_.nrhs,
                      .lda = a_.shape().leading,
                      .ldb = b_.shape().leading,
                      .batch = batch},
                     {.a = a_.ref(), .b = b_.ref()}, {}, storage.products);
      case CholeskyCall::potri:
        return potri(engine_, queue,
                     {.type = storage.type,
                      .layout = storage.layout,
                      .uplo = test_.uplo,
                      .n = test_.n,
                      .lda = a_.shape().leading,
                      .batch = batch},
                     {.a = a_.ref()}, {}, storage.products);
      case CholeskyCall::posv:
        break;
    }
    return posv(engine_, queue,
                {.type = storage.type,
                 .layout = storage.layout,
                 .uplo = test_.uplo,
                 .n = test_.n,
                 .nrhs = test_.nrhs,
                 .lda = a_.shape().leading,
                 .ldb = b_.shape().leading,
                 .batch = batch},
                {.a = a_.ref(), .b = b_.ref(), .info = info_.ref()}, {}, storage.products);
  }

  std::string wrong_systems() const {
    for (std::uint64_t x = 0; x < test_.storage.count; ++x)
      if (const std::string wrong = wrong_system(x); !wrong.empty())
        return "system " + std::to_string(x) + ": " + wrong;
    return {};
  }

  std::string wrong_system(std::uint64_t x) const {
    const Layout layout = test_.storage.layout;
    const std::uint64_t n = test_.n, minor = indefinite(x);
    const auto view = [&](const T* data) { return lower_view(data, layout, test_.uplo, n, a_.shape().leading); };
    const MatrixView<T> l = view(factors() ? a_.result(x) : a_.data(x));
    if (factors()) {
      const auto info = std::bit_cast<std::int64_t>(info_.result()[x * info_.shape().leading]);
      if (info != static_cast<std::int64_t>(minor))
        return "info is " + std::to_string(info) + ", expected " + std::to_string(minor);
      const bool scales_rows = engine_.profile().type != DeviceType::cpu;
      if (std::string wrong =
              wrong_cholesky_factor(view(a_.data(x)), l, n, minor == 0 ? n : minor - 1, small_.error(), scales_rows);
          !wrong.empty())
        return wrong;
    }
    if (inverts()) return wrong_cholesky_inverse(l, view(a_.result(x)), n);
    if (!solves() || minor != 0) return {};
    const auto view_b = [&](const T* data) {
      return make_view(data, layout, Transpose::no, n, test_.nrhs, b_.shape().leading);
    };
    return wrong_cholesky_solution(l, test_.uplo, view_b(b_.data(x)), view_b(b_.result(x)), n, test_.nrhs,
                                   small_.error());
  }

  const Engine& engine_;
  const CholeskyCase& test_;
  GuardedMatrix<T> a_, b_;
  GuardedMatrix<Bits<8>> info_;
  SmallNumbers<T> small_;
  LowerTriangle<T> triangle_;
};

}  // namespace

std::string try_cholesky_case(const Engine& engine, const CholeskyCase& test) {
  return run_trial<CholeskyTrial, SystemTypes::real_and_complex>(engine, test, test.storage.type);
}

}  // namespace tilewright::verification
