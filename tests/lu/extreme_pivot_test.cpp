// Pivots of all sizes, from subnormal to the largest: |L| <= 1, and solutions as accurate as divisions.
#include <limits>
#include <utility>

#include "lu/lu_runner.hpp"
#include "support/extreme_values.hpp"

namespace tilewright::test {
namespace {

// A batch of matrices. The elements of a column have almost the same size, so that multipliers are close to 1.
template <class T>
void check_multipliers(const Engine& engine, std::uint64_t m, std::uint64_t n, int least, int most,
                       RandomStream& random) {
  CAPTURE(m);
  CAPTURE(least);
  constexpr std::uint64_t count = 60;
  LuRunner<T> run(m, n, Layout::row_major, count, engine);
  std::vector<T> sizes(count * n);
  for (T& size : sizes) size = random.of_any_size<T>(least, most);
  run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
    const T element = sizes[x * n + j];
    return static_cast<double>((i + j) % 3 == 0 ? std::nextafter(element, T{0}) : i % 2 == 0 ? element : -element);
  });
  run.factor();
  long double max_multiplier = 0;
  for (std::uint64_t x = 0; x < count; ++x)
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j < std::min(i, n); ++j) {
        const long double size = std::abs(run.factors(x)(i, j));
        if (!(size <= max_multiplier)) max_multiplier = size;
      }
  CHECK(max_multiplier <= 1);
}

// A permuted diagonal matrix: each element of a solution is a quotient, and nothing else is rounded.
template <class T>
class PermutedDiagonal {
 public:
  PermutedDiagonal(const Engine& engine, std::uint64_t n, RandomStream& random)
      : n_(n), run_(n, n, random.below(2) == 0 ? Layout::row_major : Layout::column_major, 1, engine), diagonal_(n) {
    using Limits = std::numeric_limits<T>;
    for (T& element : diagonal_) element = random.of_any_size<T>(min_exponent<T>(), Limits::max_exponent - 1);
    diagonal_.front() = std::ldexp(T{1}, min_exponent<T>());
    diagonal_.back() = Limits::max();
    run_.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return j == column_of(i) ? static_cast<double>(diagonal_[i]) : 0.0;
    });
  }

  void check_solution(Transpose trans, RandomStream& random) {
    CAPTURE(n_);
    CAPTURE((trans == Transpose::yes));
    std::vector<T> b(n_);  // so that X is near 1
    for (std::uint64_t i = 0; i < n_; ++i)
      b[i] = static_cast<T>(random.symmetric() * static_cast<double>(divisor(trans, i)));
    const std::vector<T> x = trans == Transpose::yes ? solved_by_getrs(b) : solved_by_gesv(b);
    for (std::uint64_t i = 0; i < n_; ++i)
      check_quotient(x[trans == Transpose::yes ? row_of(i) : column_of(i)], b[i], divisor(trans, i));
  }

  // These two need the factors that check_solution(Transpose::yes) leaves.
  void check_inverse() {
    const std::vector<T> x = solved(std::vector<T>(n_ * n_), [&](const MatrixRef& b) {
      GetriProblem problem = run_.template problem_of<GetriProblem>();
      problem.batch.stride_b = n_ * n_;
      return getri(run_.engine(), run_.queue(), problem,
                   {.a = run_.operands().a, .pivots = run_.operands().pivots, .b = b});
    });
    for (std::uint64_t i = 0; i < n_; ++i) check_quotient(x[place(column_of(i), i)], T{1}, diagonal_[i]);
  }

  void check_determinant() {
    const cl::Buffer result(shared_context(), CL_MEM_READ_WRITE, 2 * sizeof(T));
    det(run_.engine(), run_.queue(), run_.template problem_of<DetProblem>(),
        {.a = run_.operands().a, .pivots = run_.operands().pivots, .determinant = {result()}})
        .wait();
    T found[2];
    run_.queue.enqueueReadBuffer(result, CL_TRUE, 0, sizeof found, found);
    double log_size = 0, size = 0;
    for (const T element : diagonal_) {
      log_size += std::log(std::abs(static_cast<double>(element)));
      size += std::abs(std::log(std::abs(static_cast<double>(element))));
    }
    CHECK(std::abs(found[0]) == 1);
    CHECK(std::abs(static_cast<double>(found[1]) - log_size) <=
          static_cast<double>(n_ + 4) * static_cast<double>(std::numeric_limits<T>::epsilon()) * size);
  }

 private:
  std::uint64_t column_of(std::uint64_t i) const { return (i + n_ / 3) % n_; }
  std::uint64_t row_of(std::uint64_t j) const { return (j + n_ - n_ / 3) % n_; }
  // Returns the only nonzero coefficient of equation i of op(A) X = B.
  T divisor(Transpose trans, std::uint64_t i) const { return diagonal_[trans == Transpose::yes ? row_of(i) : i]; }
  Layout layout() { return run_.problem().layout; }
  std::uint64_t place(std::uint64_t i, std::uint64_t j) {
    return layout() == Layout::row_major ? i * n_ + j : j * n_ + i;
  }

  std::vector<T> solved_by_gesv(std::vector<T> b) {
    return solved(std::move(b), [&](const MatrixRef& ref) {
      GesvProblem problem = run_.template problem_of<GesvProblem>();
      problem.nrhs = 1;
      problem.batch.stride_b = n_;
      const GetrfOperands of_a = run_.operands();
      return gesv(run_.engine(), run_.queue(), problem,
                  {.a = of_a.a, .pivots = of_a.pivots, .info = of_a.info, .b = ref});
    });
  }

  // Solves the transposed system.
  std::vector<T> solved_by_getrs(std::vector<T> b) {
    run_.factor();
    return solved(std::move(b), [&](const MatrixRef& ref) {
      GetrsProblem problem = run_.template problem_of<GetrsProblem>();
      problem.trans = Transpose::yes;
      problem.nrhs = 1;
      problem.batch.stride_b = n_;
      return getrs(run_.engine(), run_.queue(), problem,
                   {.a = run_.operands().a, .pivots = run_.operands().pivots, .b = ref});
    });
  }

  // Returns the B that call(B) leaves.
  template <class Call>
  std::vector<T> solved(std::vector<T> b, Call call) {
    const cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, b.size() * sizeof(T), b.data());
    const MatrixRef ref{buffer(), 0};
    const Event done = call(ref);
    done.wait();
    count_cases();
    count_kernel_of("lu");
    run_.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, b.size() * sizeof(T), b.data());
    return b;
  }

  // Allows two roundings, or a division with an error of 2.5 ulp and one rounding. A subnormal result may be wrong by
  // half of the smallest number.
  static void check_quotient(T found, T dividend, T divisor) {
    const long double exact = static_cast<long double>(dividend) / divisor;
    if (std::abs(exact) > static_cast<long double>(std::numeric_limits<T>::max())) {
      CHECK(std::isinf(found));
      return;
    }
    CHECK(std::abs(found - exact) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(exact) +
                                         static_cast<long double>(std::numeric_limits<T>::denorm_min()));
  }

  std::uint64_t n_;
  LuRunner<T> run_;
  std::vector<T> diagonal_;
};

template <class T>
void check_permuted(const Engine& engine, std::uint64_t n, RandomStream& random) {
  PermutedDiagonal<T>(engine, n, random).check_solution(Transpose::no, random);
  PermutedDiagonal<T> factored(engine, n, random);
  factored.check_solution(Transpose::yes, random);
  factored.check_inverse();
  factored.check_determinant();
}

template <class T>
void check_all_multipliers(const Engine& engine, RandomStream& random) {
  using Limits = std::numeric_limits<T>;
  check_multipliers<T>(engine, 64, 3, min_exponent<T>(), Limits::min_exponent, random);
  check_multipliers<T>(engine, 130, 70, -3, 3, random);
  // The trailing matrix of a wider matrix would overflow.
  for (const std::uint64_t m : {64U, 130U})
    check_multipliers<T>(engine, m, 1, Limits::max_exponent - 2, Limits::max_exponent - 1, random);
}

}  // namespace

TEST_SUITE("lu solutions") {
  TEST_CASE("pivots of any size") {
    RandomStream random(5);
    const Engine& engine = shared_engine();
    check_all_multipliers<float>(engine, random);
    for (const std::uint64_t n : {3U, 20U, 64U, 65U, 150U}) check_permuted<float>(engine, n, random);
    if (!engine.profile().fp64) return;
    check_all_multipliers<double>(engine, random);
    for (const std::uint64_t n : {10U, 64U, 65U, 150U}) check_permuted<double>(engine, n, random);
  }

  TEST_CASE("pivots of any size in the kernels for GPUs") {
    // Small groups, because compilers for other devices take long for large groups.
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    RandomStream random(6);
    check_multipliers<float>(engine, 130, 70, -3, 3, random);
    check_multipliers<float>(engine, 130, 1, 126, 127, random);
    check_multipliers<float>(engine, 130, 3, min_exponent<float>(), -126, random);
    check_permuted<float>(engine, 150, random);
  }
}

}  // namespace tilewright::test
