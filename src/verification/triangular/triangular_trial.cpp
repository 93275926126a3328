#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "kernels/host_type.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/small_numbers.hpp"
#include "verification/triangular/triangular_case.hpp"
#include "verification/triangular/triangular_residuals.hpp"

namespace tilewright::verification {
namespace {

// trsv is the trsm of one column, but its vector may be strided.
TrsmProblem problem_of(const TriangularCase& test, const StoredShape& a, const StoredShape& b) {
  const SystemCase& storage = test.storage;
  return {.type = storage.type,
          .layout = storage.layout,
          .side = test.side,
          .uplo = test.uplo,
          .trans = test.trans,
          .diag = test.diag,
          .m = test.m,
          .n = test.n,
          .lda = a.leading,
          .ldb = b.leading,
          .batch = {.count = storage.count,
                    .stride_a = storage.shares_a ? 0 : SystemCase::stride_of(a),
                    .stride_b = SystemCase::stride_of(b)}};
}

template <class T>
class TriangularTrial {
 public:
  TriangularTrial(const Engine& engine, const TriangularCase& test)
      : engine_(engine),
        test_(test),
        a_(engine, a_shape(test), test.storage.offsets[0], test.storage.memory,
           test.storage.shares_a ? 1 : test.storage.count, SystemCase::stride_of(a_shape(test))),
        b_(engine, b_shape(test), test.storage.offsets[1], test.storage.memory, test.storage.count,
           SystemCase::stride_of(b_shape(test))),
        problem_(problem_of(test, a_.shape(), b_.shape())),
        small_(engine.device()) {
    a_.poison();
    if (!reads()) b_.poison();
    RandomStream random(test.storage.seed);
    for (std::uint64_t x = 0; x < b_.count() && reads(); ++x) fill(random, x);
  }

  std::string verify() {
    GuardedCall call(engine_);
    call.add("A", a_, false);
    call.add(is_vector() ? "x" : "B", b_, true);
    return call.verify([&](cl_command_queue queue) { return enqueue(queue); }, [&] { return wrong_systems(); });
  }

 private:
  static std::uint64_t order_of(const TriangularCase& test) { return test.side == Side::left ? test.m : test.n; }
  static StoredShape a_shape(const TriangularCase& test) {
    return stored_shape(test.storage.layout, order_of(test), order_of(test), test.storage.gaps[0]);
  }
  // A vector is stored as a matrix with one element per line.
  static StoredShape b_shape(const TriangularCase& test) {
    if (test.call == TriangularCall::trsv) return {test.m, 1, static_cast<std::uint64_t>(std::abs(test.incx))};
    return stored_shape(test.storage.layout, test.m, test.n, test.storage.gaps[1]);
  }

  bool is_vector() const { return test_.call == TriangularCall::trsv; }
  bool reads() const { return test_.alpha != 0.0; }
  bool is_exact() const {
    const auto is_whole = [](double part) { return part == std::trunc(part); };
    return test_.data == TriangleKind::arrow && is_whole(test_.alpha.real()) && is_whole(test_.alpha.imag());
  }
  T alpha() const {
    if constexpr (detail::is_complex_host_type<T>)
      return T(test_.alpha);
    else
      return static_cast<T>(test_.alpha.real());
  }
  std::uint64_t order() const { return order_of(test_); }
  std::uint64_t nrhs() const { return test_.side == Side::left ? test_.n : test_.m; }

  std::uint64_t place_b(std::uint64_t i, std::uint64_t column) const {
    if (is_vector()) return (test_.incx > 0 ? i : order() - 1 - i) * b_.shape().leading;
    if (test_.side == Side::right) std::swap(i, column);
    return index_in(b_.shape(), test_.storage.layout, i, column);
  }

  // Fills system x. T is lower triangular in the order in which the unknowns are found.
  void fill(RandomStream& random, std::uint64_t x) {
    const std::uint64_t k = order();
    const bool is_unit = test_.diag == Diag::unit;
    const bool is_transposed = (test_.side == Side::left) == (test_.trans != Transpose::no);
    const bool is_forward = (test_.uplo == Uplo::lower) != is_transposed;
    if (x < a_.count()) {
      triangle_ = draw_triangle<T>(random, test_.data, k, is_unit, small_.min_exponent());
      for (std::uint64_t i = 0; i < k; ++i)
        for (std::uint64_t j = 0; j <= i; ++j) {
          if (i == j && is_unit) continue;
          std::uint64_t row = is_forward ? i : k - 1 - i, column = is_forward ? j : k - 1 - j;
          if (is_transposed) std::swap(row, column);
          a_.data(x)[index_in(a_.shape(), test_.storage.layout, row, column)] = triangle_(i, j);
        }
    }
    for (std::uint64_t i = 0; i < k; ++i)
      for (std::uint64_t column = 0; column < nrhs(); ++column) {
        const auto draw = [&] {
          return test_.data == TriangleKind::arrow ? static_cast<double>(random.below(9)) - 4 : random.symmetric();
        };
        b_.data(x)[place_b(is_forward ? i : k - 1 - i, column)] = with_imaginary<T>(draw(), draw) * triangle_.scales[i];
      }
  }

  Event enqueue(cl_command_queue queue) const {
    if (!is_vector())
      return trsm(engine_, queue, problem_,
                  {.alpha = test_.alpha, .a = reads() ? a_.ref() : MatrixRef{}, .b = b_.ref()}, {},
                  test_.storage.products);
    return trsv(engine_, queue,
                {.type = problem_.type,
                 .layout = problem_.layout,
                 .uplo = problem_.uplo,
                 .trans = problem_.trans,
                 .diag = problem_.diag,
                 .n = problem_.m,
                 .lda = problem_.lda,
                 .incx = test_.incx,
                 .batch = {.count = problem_.batch.count,
                           .stride_a = problem_.batch.stride_a,
                           .stride_x = problem_.batch.stride_b}},
                {.a = a_.ref(), .x = b_.ref()}, {}, test_.storage.products);
  }

  std::string wrong_systems() const {
    for (std::uint64_t x = 0; x < b_.count(); ++x)
      if (const std::string wrong = reads() ? wrong_system(x) : wrong_zeros(x); !wrong.empty())
        return "system " + std::to_string(x) + ": " + wrong;
    return {};
  }

  std::string wrong_system(std::uint64_t x) const {
    TrsmProblem problem = problem_;
    const T *before = b_.data(x), *after = b_.result(x);
    std::vector<T> sent, received;
    if (is_vector()) {
      for (std::uint64_t i = 0; i < order(); ++i) {
        sent.push_back(before[place_b(i, 0)]);
        received.push_back(after[place_b(i, 0)]);
      }
      before = sent.data();
      after = received.data();
      problem.ldb = 0;
    }
    return wrong_solution(triangular_system(problem, alpha(), a_.data(x), before, after), small_.error(), is_exact());
  }

  std::string wrong_zeros(std::uint64_t x) const {
    for (std::uint64_t column = 0; column < nrhs(); ++column)
      for (std::uint64_t i = 0; i < order(); ++i)
        if (!(b_.result(x)[place_b(i, column)] == T{0}))
          return "element " + std::to_string(i) + " of right-hand side " + std::to_string(column) +
                 " is not 0, although alpha is";
    return {};
  }

  const Engine& engine_;
  const TriangularCase& test_;
  GuardedMatrix<T> a_, b_;
  TrsmProblem problem_;
  SmallNumbers<T> small_;
  LowerTriangle<T> triangle_;
};

}  // namespace

std::string try_triangular_case(const Engine& engine, const TriangularCase& test) {
  return run_trial<TriangularTrial, SystemTypes::real_and_complex>(engine, test, test.storage.type);
}

}  // namespace tilewright::verification
