#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/system/plain_text.hpp"
#include "verification/common/guarded_call.hpp"
#include "verification/common/small_numbers.hpp"
#include "verification/lu/lu_case.hpp"
#include "verification/lu/lu_residuals.hpp"

namespace tilewright::verification {
namespace {

// 64-bit integers of a batch, `count` per matrix.
using Integers = GuardedMatrix<Bits<8>>;

std::vector<std::int64_t> integers_of(const Integers& integers, std::uint64_t x, bool is_received) {
  const Bits<8>* const data = is_received ? integers.result(x) : integers.data(x);
  std::vector<std::int64_t> values;
  for (std::uint64_t i = 0; i < integers.shape().length; ++i) values.push_back(std::bit_cast<std::int64_t>(data[i]));
  return values;
}

template <class T>
class LuTrial {
  using Real = detail::Part<T>;

 public:
  LuTrial(const Engine& engine, const LuCase& test)
      : engine_(engine),
        test_(test),
        steps_(std::min(test.m, test.n)),
        a_(engine, a_shape(test), test.storage.offsets[0], test.storage.memory, distinct(test),
           SystemCase::stride_of(a_shape(test))),
        b_(engine, b_shape(test), test.storage.offsets[1], test.storage.memory, test.storage.count,
           SystemCase::stride_of(b_shape(test))),
        pivots_(engine, row_of(steps_), 1, Memory::banded, distinct(test), steps_ + test.gap),
        info_(engine, row_of(1), 2, Memory::banded, test.storage.count, 1 + test.gap),
        iterations_(engine, row_of(1), 1, Memory::banded),
        determinant_(engine, row_of(2), 1, Memory::banded, test.storage.count, 2 + test.gap),
        small_(engine.device()) {
    RandomStream random(test.storage.seed);
    for (std::uint64_t x = 0; x < test.storage.count; ++x) fill(random, x);
  }

  std::string verify() {
    GuardedCall call(engine_);
    call.add("A", a_, test_.does_factor() && test_.refinements == 0);
    call.add("pivots", pivots_, test_.does_factor());
    if (test_.has_b()) call.add("B", b_, true);
    if (test_.does_factor()) call.add("info", info_, true);
    if (test_.refinements > 0) call.add("iterations", iterations_, true);
    if (test_.task == LuTask::det) call.add("determinant", determinant_, true);
    return call.verify([&](cl_command_queue queue) { return enqueue(queue); }, [&] { return wrong_systems(); });
  }

 private:
  static std::uint64_t distinct(const LuCase& test) { return test.storage.shares_a ? 1 : test.storage.count; }
  static std::uint64_t columns_of_b(const LuCase& test) { return test.task == LuTask::getri ? test.n : test.nrhs; }
  static StoredShape a_shape(const LuCase& test) {
    return stored_shape(test.storage.layout, test.m, test.n, test.storage.gaps[0]);
  }
  static StoredShape b_shape(const LuCase& test) {
    return stored_shape(test.storage.layout, test.n, columns_of_b(test), test.storage.gaps[1]);
  }
  static StoredShape row_of(std::uint64_t length) { return {1, length, length}; }

  LuMatrix<T> matrix(const T* data) const { return {data, test_.storage.layout, test_.m, test_.n, a_.shape().leading}; }
  LuMatrix<T> right_sides(const T* data) const {
    return {data, test_.storage.layout, test_.n, columns_of_b(test_), b_.shape().leading};
  }

  void fill(RandomStream& random, std::uint64_t x) {
    if (x < a_.count()) test_.does_factor() ? fill_matrix(random, x) : fill_factors(random, x);
    for (std::uint64_t i = 0; i < test_.n && test_.does_solve(); ++i)
      for (std::uint64_t j = 0; j < test_.nrhs; ++j)
        b_.data(x)[index_in(b_.shape(), test_.storage.layout, i, j)] =
            with_imaginary<T>(random.symmetric(), [&] { return random.symmetric(); }) * scales_[i];
  }

  void store(std::uint64_t x, const std::vector<T>& elements) {
    for (std::uint64_t i = 0; i < test_.m; ++i)
      for (std::uint64_t j = 0; j < test_.n; ++j)
        a_.data(x)[index_in(a_.shape(), test_.storage.layout, i, j)] = elements[i * test_.n + j];
  }

  void fill_matrix(RandomStream& random, std::uint64_t x) {
    const LuData<T> data =
        draw_lu_matrix<T>(random, test_.matrix, test_.m, test_.n, test_.does_solve(), small_.min_exponent());
    store(x, data.elements);
    scales_ = data.scales;
  }

  // B has the scale of A, so that X is neither tiny nor huge.
  void fill_factors(RandomStream& random, std::uint64_t x) {
    const std::uint64_t n = test_.n;
    std::vector<T> factors = draw_lu_factors<T>(random, test_.factors, n, small_.min_exponent());
    if (test_.pivot != LuPivot::usual && n > 0)
      factors[random.below(n) * (n + 1)] =
          test_.pivot == LuPivot::zero ? T{0} : T(std::numeric_limits<Real>::quiet_NaN());
    store(x, factors);
    const std::vector<std::int64_t> pivots = draw_pivots(random, n);
    for (std::uint64_t i = 0; i < n; ++i) pivots_.data(x)[i] = std::bit_cast<Bits<8>>(pivots[i]);
    const LuFactors<T> made(matrix(a_.data(x)), pivots);
    scales_.assign(n, Real{1});
    for (std::uint64_t i = 0; i < n && test_.does_solve(); ++i)
      scales_[test_.trans == Transpose::no ? made.order[i] : i] =
          std::ldexp(Real{1}, std::ilogb(std::abs(factors[i * (n + 1)])));
  }

  Event enqueue(cl_command_queue queue) const {
    const SystemCase& storage = test_.storage;
    const bool has_gap = test_.gap > 0 && !storage.shares_a;
    LuProblem problem{.task = test_.task,
                      .type = storage.type,
                      .layout = storage.layout,
                      .trans = test_.trans,
                      .m = test_.m,
                      .n = test_.n,
                      .nrhs = test_.nrhs,
                      .lda = a_.shape().leading,
                      .ldb = b_.shape().leading,
                      .batch = {.count = storage.count},
                      .refinements = test_.refinements};
    Batch& batch = problem.batch;
    if (!storage.shares_a) batch.stride_a = SystemCase::stride_of(a_.shape());
    if (test_.has_b()) batch.stride_b = SystemCase::stride_of(b_.shape());
    if (has_gap) batch.stride_pivots = steps_ + test_.gap;
    if (test_.gap > 0 && test_.does_factor()) batch.stride_info = 1 + test_.gap;
    if (test_.gap > 0 && test_.task == LuTask::det) batch.stride_determinant = 2 + test_.gap;
    return run_lu(engine_, queue, problem,
                  {.a = a_.ref(),
                   .pivots = pivots_.ref(),
                   .info = info_.ref(),
                   .b = b_.ref(),
                   .determinant = determinant_.ref(),
                   .iterations = iterations_.ref()},
                  {}, storage.products);
  }

  std::string wrong_systems() const {
    for (std::uint64_t x = 0; x < test_.storage.count; ++x)
      if (const std::string wrong = wrong_system(x); !wrong.empty())
        return "matrix " + std::to_string(x) + ": " + wrong;
    return {};
  }

  std::string wrong_system(std::uint64_t x) const {
    if (test_.refinements > 0) return wrong_refined();
    const bool factored = test_.does_factor();
    std::optional<LuFactors<T>> factors;
    try {
      factors.emplace(matrix(factored ? a_.result(x) : a_.data(x)), integers_of(pivots_, x, factored));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    if (factored) {
      const std::int64_t info = integers_of(info_, x, true).front(), singular = first_zero(*factors);
      if (info != singular) return "info is " + std::to_string(info) + ", expected " + std::to_string(singular);
      if (std::string wrong = wrong_factors(*factors, matrix(a_.data(x)), small_.error()); !wrong.empty()) return wrong;
      if (singular != 0) return {};
    }
    if (test_.task == LuTask::det) {
      const T* const found = determinant_.result(x);
      return wrong_determinant(*factors, found[0], found[1]);
    }
    if (!test_.has_b()) return {};
    const LuMatrix<T> right = right_sides(b_.data(x));
    return wrong_solution(*factors, test_.trans, right_sides(b_.result(x)),
                          test_.task == LuTask::getri ? nullptr : &right, small_.error());
  }

  // Returns i + 1 for the first U(i, i) = 0; 0 if there is none.
  std::int64_t first_zero(const LuFactors<T>& factors) const {
    for (std::uint64_t i = 0; i < steps_; ++i)
      if (std::abs(factors.lu(i, i)) == 0) return static_cast<std::int64_t>(i + 1);
    return 0;
  }

  // The matrices of these cases are well conditioned, so that the refinements must succeed.
  std::string wrong_refined() const {
    const std::int64_t iterations = integers_of(iterations_, 0, true).front(),
                       info = integers_of(info_, 0, true).front();
    if (info != 0) return "info is " + std::to_string(info) + ", expected 0";
    if (iterations < 0 || iterations > static_cast<std::int64_t>(test_.refinements))
      return "iterations is " + std::to_string(iterations) + ", expected 0 to " + std::to_string(test_.refinements);
    if (test_.n == 0 || test_.nrhs == 0) return {};
    const LuMatrix<T> right = right_sides(b_.data());
    const double residual = system_residual(matrix(a_.data()), right_sides(b_.result()), &right, 0, test_.nrhs);
    return residual < lu_threshold ? "" : "LAPACK's ratio of the residual is " + detail::general_text(residual);
  }

  const Engine& engine_;
  const LuCase& test_;
  std::uint64_t steps_;
  GuardedMatrix<T> a_, b_;
  Integers pivots_, info_, iterations_;
  GuardedMatrix<T> determinant_;
  SmallNumbers<T> small_;
  std::vector<Real> scales_;  // of the rows of B
};

}  // namespace

std::string try_lu_case(const Engine& engine, const LuCase& test) {
  return run_trial<LuTrial, SystemTypes::real_and_complex>(engine, test, test.storage.type);
}

}  // namespace tilewright::verification
