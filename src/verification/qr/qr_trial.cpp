#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/common/small_numbers.hpp"
#include "verification/qr/qr_case.hpp"
#include "verification/qr/qr_residuals.hpp"
#include "verification/triangular/lower_triangle.hpp"

namespace tilewright::verification {
namespace {

std::string too_large(const char* what, double ratio) {
  return ratio < qr_threshold ? "" : std::string("LAPACK's ratio of ") + what + " is " + detail::general_text(ratio);
}

template <class T>
class QrTrial {
  using Real = detail::Part<T>;

 public:
  QrTrial(const Engine& engine, const QrCase& test)
      : engine_(engine),
        test_(test),
        a_(engine, a_shape(test), test.storage.offsets[0], test.storage.memory, distinct(test),
           SystemCase::stride_of(a_shape(test))),
        c_(engine, c_shape(test), test.storage.offsets[1], test.storage.memory, test.storage.count,
           SystemCase::stride_of(c_shape(test))),
        tau_(engine, row_of(test.k), 1, Memory::banded, distinct(test), test.k + test.gap),
        info_(engine, row_of(1), 2, Memory::banded, test.storage.count, 1 + test.gap),
        small_(engine.device()) {
    RandomStream random(test.storage.seed);
    for (std::uint64_t x = 0; x < test.storage.count; ++x) fill(random, x);
  }

  std::string verify() {
    GuardedCall call(engine_);
    const bool writes_a = test_.task == QrTask::gels ? test_.m >= test_.n : test_.task != QrTask::ormqr;
    call.add("A", a_, writes_a);
    if (test_.task != QrTask::gels) call.add("tau", tau_, test_.task == QrTask::geqrf);
    if (test_.has_c()) call.add(test_.task == QrTask::gels ? "B" : "C", c_, true);
    if (test_.task == QrTask::gels) call.add("info", info_, true);
    return call.verify([&](cl_command_queue queue) { return enqueue(queue); }, [&] { return wrong_results(); });
  }

 private:
  static std::uint64_t distinct(const QrCase& test) { return test.storage.shares_a ? 1 : test.storage.count; }
  static StoredShape a_shape(const QrCase& test) {
    return stored_shape(test.storage.layout, test.rows_of_a(), test.columns_of_a(), test.storage.gaps[0]);
  }
  static StoredShape c_shape(const QrCase& test) {
    return stored_shape(test.storage.layout, test.rows_of_c(), test.columns_of_c(), test.storage.gaps[1]);
  }
  static StoredShape row_of(std::uint64_t length) { return {1, length, length}; }

  QrMatrix<T> matrix(const T* data) const {
    return {data, test_.storage.layout, test_.rows_of_a(), test_.columns_of_a(), a_.shape().leading};
  }
  QrMatrix<T> second(const T* data) const {
    return {data, test_.storage.layout, test_.rows_of_c(), test_.columns_of_c(), c_.shape().leading};
  }
  T& a_at(std::uint64_t x, std::uint64_t i, std::uint64_t j) {
    return a_.data(x)[index_in(a_.shape(), test_.storage.layout, i, j)];
  }
  T number(RandomStream& random) const {
    if (test_.matrix == QrKind::integers)
      return with_imaginary<T>(static_cast<double>(random.below(3)) - 1,
                               [&] { return static_cast<double>(random.below(3)) - 1; });
    return with_imaginary<T>(random.symmetric(), [&] { return random.symmetric(); });
  }

  // An element before it is scaled.
  T element(RandomStream& random) const {
    if (test_.matrix != QrKind::huge || test_.task != QrTask::geqrf) return number(random);
    return with_imaginary<T>(1 - 0.5 * std::abs(random.symmetric()),
                             [&] { return 1 - 0.5 * std::abs(random.symmetric()); });
  }

  // The powers of two between elements and the largest number. Columns are then at most as long as 1/16 of it, so that
  // sums of products with block reflectors have room. Solutions are about as small as A is large, but not subnormal.
  int room_for_sums(std::uint64_t rows) const {
    const int bits = static_cast<int>(std::bit_width(rows));
    return test_.task == QrTask::geqrf ? 4 + (bits + 1) / 2 : 5 + bits;
  }

  void fill(RandomStream& random, std::uint64_t x) {
    if (x < a_.count()) {
      fill_matrix(random, x);
      if (!test_.does_factor()) fill_reflectors(x);
    }
    // The elements after the right-hand sides are not read.
    const std::uint64_t rows =
        test_.task == QrTask::gels ? (test_.trans == Transpose::no ? test_.m : test_.n) : test_.m;
    for (std::uint64_t i = 0; i < rows && test_.has_c(); ++i)
      for (std::uint64_t j = 0; j < test_.columns_of_c(); ++j)
        c_.data(x)[index_in(c_.shape(), test_.storage.layout, i, j)] =
            with_imaginary<T>(random.symmetric(), [&] { return random.symmetric(); });
  }

  void fill_matrix(RandomStream& random, std::uint64_t x) {
    constexpr int least = std::numeric_limits<Real>::min_exponent, most = std::numeric_limits<Real>::max_exponent,
                  spread = sizeof(Real) == 8 ? 300 : 40;
    const std::uint64_t rows = test_.rows_of_a(), columns = test_.columns_of_a();
    const bool is_wide = rows < columns;
    const std::uint64_t zeros = test_.k == 0 ? 0 : random.below(test_.k);
    for (std::uint64_t j = 0; j < columns; ++j) {
      int exponent = 0;
      if (test_.matrix == QrKind::graded) exponent = random.between(-spread, spread);
      if (test_.matrix == QrKind::tiny) exponent = random.between(least - 1, least + 4);
      if (test_.matrix == QrKind::huge) exponent = most - room_for_sums(rows);
      for (std::uint64_t i = 0; i < rows; ++i) {
        const bool is_zero = test_.matrix == QrKind::deficient && (is_wide ? i : j) == zeros;
        a_at(x, i, j) = is_zero ? T{0} : element(random) * std::ldexp(Real{1}, exponent);
      }
    }
  }

  // Replaces the matrix by reflectors. Other elements are not read.
  void fill_reflectors(std::uint64_t x) {
    const QrReflectors<T> made = reference_factors(matrix(a_.data(x)).first(test_.rows_of_a(), test_.k));
    for (std::uint64_t i = 0; i < test_.rows_of_a(); ++i)
      for (std::uint64_t j = 0; j < test_.columns_of_a(); ++j)
        a_at(x, i, j) = j < test_.k && i > j ? static_cast<T>(made.vectors(i, j)) : poison_value<T>();
    for (std::uint64_t i = 0; i < test_.k; ++i) tau_.data(x)[i] = static_cast<T>(made.tau[i]);
  }

  // Returns reflectors with the matrix that holds them.
  QrReflectors<T> reflectors(const T* vectors, const T* tau) const {
    return {matrix(vectors), QrMatrix<T>(tau, Layout::row_major, 1, test_.k, test_.k).elements};
  }

  Event enqueue(cl_command_queue queue) const {
    const SystemCase& storage = test_.storage;
    QrProblem problem{.task = test_.task,
                      .type = storage.type,
                      .layout = storage.layout,
                      .side = test_.side,
                      .trans = test_.trans,
                      .m = test_.m,
                      .n = test_.n,
                      .k = test_.k,
                      .nrhs = test_.nrhs,
                      .lda = a_.shape().leading,
                      .ldc = c_.shape().leading,
                      .batch = {.count = storage.count}};
    Batch& batch = problem.batch;
    const bool is_gels = test_.task == QrTask::gels;
    if (!storage.shares_a) batch.stride_a = SystemCase::stride_of(a_.shape());
    if (test_.has_c()) (is_gels ? batch.stride_b : batch.stride_c) = SystemCase::stride_of(c_.shape());
    if (test_.gap > 0 && !is_gels && !storage.shares_a) batch.stride_tau = test_.k + test_.gap;
    if (test_.gap > 0 && is_gels) batch.stride_info = 1 + test_.gap;
    return run_qr(engine_, queue, problem, {.a = a_.ref(), .tau = tau_.ref(), .c = c_.ref(), .info = info_.ref()}, {},
                  storage.products);
  }

  std::string wrong_results() const {
    for (std::uint64_t x = 0; x < test_.storage.count; ++x)
      if (const std::string wrong = wrong_result(x); !wrong.empty())
        return "matrix " + std::to_string(x) + ": " + wrong;
    return {};
  }

  std::string wrong_result(std::uint64_t x) const {
    switch (test_.task) {
      case QrTask::geqrf:
        return wrong_factors(x);
      case QrTask::ormqr:
        return wrong_product(x);
      case QrTask::orgqr:
        return wrong_columns(x);
      case QrTask::gels:
        break;
    }
    return wrong_solution(x);
  }

  std::string wrong_factors(std::uint64_t x) const {
    const QrReflectors<T> factors = reflectors(a_.result(x), tau_.result(x));
    const QrMatrix<T> a = matrix(a_.data(x));
    if (const double ratio = factors_ratio(a, factors, small_.error()); !(ratio < qr_threshold))
      return too_large("A - Q R", ratio);
    // R has the norms of the columns of A, even of those that are much smaller than others.
    for (std::uint64_t j = 0; j < test_.n; ++j) {
      QrMatrix<T> column(test_.m, 1), r(test_.m, 1);
      for (std::uint64_t i = 0; i < test_.m; ++i) column(i, 0) = a(i, j);
      for (std::uint64_t i = 0; i < test_.m && i <= j; ++i) r(i, 0) = factors.vectors(i, j);
      const double ratio = difference_ratio(multiplied_by_q(factors, false, r), column, test_.m, small_.error());
      if (!(ratio < qr_threshold)) return "column " + std::to_string(j) + ": " + too_large("A - Q R", ratio);
    }
    return too_large("I - Q^H Q",
                     orthogonality_ratio(multiplied_by_q(factors, false, identity_of<T>(test_.m, test_.m))));
  }

  std::string wrong_product(std::uint64_t x) const {
    const bool is_adjoint = test_.trans != Transpose::no;
    const QrReflectors<T> q = reflectors(a_.data(x), tau_.data(x));
    const QrMatrix<T> before = second(c_.data(x));
    const QrMatrix<T> expected = test_.side == Side::left
                                     ? multiplied_by_q(q, is_adjoint, before)
                                     : adjoint_of(multiplied_by_q(q, !is_adjoint, adjoint_of(before)));
    return too_large("the product", difference_ratio(second(c_.result(x)), expected, test_.rows_of_a()));
  }

  std::string wrong_columns(std::uint64_t x) const {
    const QrMatrix<T> q = matrix(a_.result(x));
    const QrMatrix<T> expected =
        multiplied_by_q(reflectors(a_.data(x), tau_.data(x)), false, identity_of<T>(test_.m, test_.n));
    if (const double ratio = difference_ratio(q, expected, test_.m); !(ratio < qr_threshold))
      return too_large("Q", ratio);
    return too_large("I - Q^H Q", orthogonality_ratio(q));
  }

  std::string wrong_solution(std::uint64_t x) const {
    const QrMatrix<T> stored = matrix(a_.data(x)), a = test_.trans == Transpose::no ? stored : adjoint_of(stored);
    const auto info = std::bit_cast<std::int64_t>(info_.result(x)[0]);
    const std::int64_t expected = first_zero(stored);
    if (info != expected) return "info is " + std::to_string(info) + ", expected " + std::to_string(expected);
    if (info != 0 || test_.nrhs == 0) return {};
    const QrMatrix<T> b = second(c_.data(x)), found = second(c_.result(x));
    if (test_.k == 0) return norm_of(found) == 0 ? "" : "B is not 0, although A is empty";
    return too_large("the solution",
                     least_squares_ratio(a, found.first(a.columns, test_.nrhs), b.first(a.rows, test_.nrhs)));
  }

  // Returns i + 1 for the first column of zeros (row if A has fewer rows than columns); 0 if there is none.
  std::int64_t first_zero(const QrMatrix<T>& a) const {
    if (test_.nrhs == 0) return 0;
    const QrMatrix<T> tall = a.rows < a.columns ? adjoint_of(a) : a;
    for (std::uint64_t j = 0; j < tall.columns; ++j) {
      bool is_zero = true;
      for (std::uint64_t i = 0; i < tall.rows; ++i) is_zero = is_zero && std::abs(tall(i, j)) == 0;
      if (is_zero) return static_cast<std::int64_t>(j + 1);
    }
    return 0;
  }

  const Engine& engine_;
  const QrCase& test_;
  GuardedMatrix<T> a_, c_, tau_;
  GuardedMatrix<Bits<8>> info_;
  SmallNumbers<T> small_;
};

}  // namespace

std::string try_qr_case(const Engine& engine, const QrCase& test) {
  return run_trial<QrTrial, SystemTypes::real_and_complex>(engine, test, test.storage.type);
}

}  // namespace tilewright::verification
