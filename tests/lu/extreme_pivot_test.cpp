// Pivots of all sizes, from subnormal to the largest: |L| <= 1 (complex: sqrt(2)), and solutions as accurate as
// divisions.
#include <complex>
#include <limits>
#include <utility>

#include "lu/lu_runner.hpp"
#include "support/daily_share.hpp"
#include "support/extreme_values.hpp"
#include "support/kernel_types.hpp"
#include "support/test_level.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;

// Returns an element whose parts have random exponents.
template <class T>
T draw_element(RandomStream& random, int least, int most) {
  using Real = detail::Part<T>;
  if constexpr (detail::is_complex_host_type<T>)
    return T(random.of_any_size<Real>(least, most), random.of_any_size<Real>(least, most));
  else
    return random.of_any_size<T>(least, most);
}

// Returns an element whose parts are at most those of `size`.
template <class T>
T draw_below(RandomStream& random, T size) {
  const auto part = [&](auto of_size) {
    return static_cast<detail::Part<T>>(random.symmetric() * static_cast<double>(of_size));
  };
  if constexpr (detail::is_complex_host_type<T>) {
    const auto real = part(size.real());
    return T(real, part(size.imag()));
  } else {
    return part(size);
  }
}

// Returns an element with parts that are slightly smaller.
template <class T>
T slightly_smaller(T element) {
  if constexpr (detail::is_complex_host_type<T>)
    return T(slightly_smaller(element.real()), slightly_smaller(element.imag()));
  else
    return std::nextafter(element, T{0});
}

// A batch of matrices. The elements of a column have almost the same size, so that multipliers are close to 1.
template <class T>
void check_multipliers(const Engine& engine, std::uint64_t m, std::uint64_t n, int least, int most,
                       RandomStream& random) {
  CAPTURE(m);
  CAPTURE(least);
  constexpr std::uint64_t count = 60;
  LuRunner<T> run(m, n, Layout::row_major, count, engine);
  std::vector<T> sizes(count * n);
  for (T& size : sizes) size = draw_element<T>(random, least, most);
  run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
    const T element = sizes[x * n + j];
    return std::complex<double>((i + j) % 3 == 0 ? slightly_smaller(element) : i % 2 == 0 ? element : -element);
  });
  run.factor();
  long double max_multiplier = 0;
  for (std::uint64_t x = 0; x < count; ++x)
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j < std::min(i, n); ++j) {
        const long double size = std::abs(run.factors(x)(i, j));
        if (!(size <= max_multiplier)) max_multiplier = size;
      }
  CHECK(max_multiplier <= verification::largest_multiplier<T>());
}

// A permuted diagonal matrix: each element of a solution is a quotient, and nothing else is rounded.
template <class T>
class PermutedDiagonal {
  using Real = detail::Part<T>;
  using Limits = std::numeric_limits<Real>;
  using Exact = typename verification::LuMatrix<T>::Number;

 public:
  PermutedDiagonal(const Engine& engine, std::uint64_t n, RandomStream& random)
      : n_(n), run_(n, n, random.below(2) == 0 ? Layout::row_major : Layout::column_major, 1, engine), diagonal_(n) {
    for (T& element : diagonal_) element = draw_element<T>(random, min_exponent<T>(), Limits::max_exponent - 1);
    diagonal_.front() = std::ldexp(Real{1}, min_exponent<T>());
    diagonal_.back() = Limits::max();
    run_.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return j == column_of(i) ? std::complex<double>(diagonal_[i]) : 0.0;
    });
  }

  void check_solution(Transpose trans, RandomStream& random) {
    CAPTURE(n_);
    CAPTURE(static_cast<int>(trans));
    std::vector<T> b(n_);  // so that X is near 1
    for (std::uint64_t i = 0; i < n_; ++i) b[i] = draw_below(random, divisor(trans, i));
    const std::vector<T> x = trans == Transpose::no ? solved_by_gesv(b) : solved_by_getrs(trans, b);
    for (std::uint64_t i = 0; i < n_; ++i)
      check_quotient(x[trans == Transpose::no ? column_of(i) : row_of(i)], b[i], divisor(trans, i));
  }

  // These two need the factors that the solution of a transposed system leaves.
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
    constexpr bool is_complex = detail::is_complex_host_type<T>;
    long double log_size = 0, size = 0;
    for (const T element : diagonal_) {
      const long double term = std::log(std::abs(Exact(element)));
      log_size += term;
      size += std::abs(term);
    }
    const long double steps = static_cast<long double>(n_ + 4) * static_cast<long double>(Limits::epsilon());
    CHECK(std::abs(std::abs(Exact(found[0])) - 1) <= (is_complex ? steps : 0));
    CHECK(std::abs(std::real(found[1]) - log_size) <= (is_complex ? 4 : 1) * steps * size);
    CHECK(std::imag(found[1]) == 0);
  }

 private:
  std::uint64_t column_of(std::uint64_t i) const { return (i + n_ / 3) % n_; }
  std::uint64_t row_of(std::uint64_t j) const { return (j + n_ - n_ / 3) % n_; }
  // Returns the only nonzero coefficient of equation i of op(A) X = B.
  T divisor(Transpose trans, std::uint64_t i) const {
    const T element = diagonal_[trans == Transpose::no ? i : row_of(i)];
    if constexpr (detail::is_complex_host_type<T>)
      return trans == Transpose::conjugate_transpose ? std::conj(element) : element;
    else
      return element;
  }
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

  std::vector<T> solved_by_getrs(Transpose trans, std::vector<T> b) {
    run_.factor();
    return solved(std::move(b), [&](const MatrixRef& ref) {
      GetrsProblem problem = run_.template problem_of<GetrsProblem>();
      problem.trans = trans;
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

  // Allows two roundings, or a division with an error of 2.5 ulp and one rounding; more for complex numbers. A
  // subnormal result may be wrong by half of the smallest number.
  static void check_quotient(T found, T dividend, T divisor) {
    constexpr bool is_complex = detail::is_complex_host_type<T>;
    const Exact exact = Exact(dividend) / Exact(divisor);
    const long double size = std::abs(exact);
    if (std::max(std::abs(std::real(exact)), std::abs(std::imag(exact))) > static_cast<long double>(Limits::max())) {
      CHECK((is_complex ? !std::isfinite(std::abs(found)) : std::isinf(std::real(found))));
      return;
    }
    if (is_complex && size > static_cast<long double>(Limits::max()) / 4) return;  // a part may overflow
    CHECK(std::abs(Exact(found) - exact) <= (is_complex ? 12 : 4) * static_cast<long double>(Limits::epsilon()) * size +
                                                (is_complex ? 4 : 1) * static_cast<long double>(Limits::denorm_min()));
  }

  std::uint64_t n_;
  LuRunner<T> run_;
  std::vector<T> diagonal_;
};

template <class T>
void check_permuted(const Engine& engine, std::uint64_t n, RandomStream& random) {
  PermutedDiagonal<T>(engine, n, random).check_solution(Transpose::no, random);
  if (detail::is_complex_host_type<T>)
    PermutedDiagonal<T>(engine, n, random).check_solution(Transpose::conjugate_transpose, random);
  PermutedDiagonal<T> factored(engine, n, random);
  factored.check_solution(Transpose::yes, random);
  factored.check_inverse();
  factored.check_determinant();
}

template <class T>
void check_all_multipliers(const Engine& engine, RandomStream& random) {
  using Limits = std::numeric_limits<detail::Part<T>>;
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

  TEST_CASE("complex pivots of any size") {
    RandomStream random(7);
    const Engine& engine = shared_engine();
    check_all_multipliers<ComplexFloat>(engine, random);
    for (const std::uint64_t n : {20U, 64U, 65U, 150U}) check_permuted<ComplexFloat>(engine, n, random);
    if (!engine.profile().fp64 || test_level() == TestLevel::quick) return;
    check_all_multipliers<Complex>(engine, random);
    for (const std::uint64_t n : {10U, 64U, 150U}) check_permuted<Complex>(engine, n, random);
  }

  TEST_CASE("pivots of any size in the kernels for GPUs") {
    // Small groups, because compilers for other devices take long for large groups.
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    RandomStream random(6);
    DailyShare share(2);
    if (share.selects_next()) {
      check_multipliers<float>(engine, 130, 70, -3, 3, random);
      check_multipliers<float>(engine, 130, 1, 126, 127, random);
      check_multipliers<float>(engine, 130, 3, min_exponent<float>(), -126, random);
      check_permuted<float>(engine, 150, random);
    }
    if (share.selects_next()) {
      check_multipliers<ComplexFloat>(engine, 130, 70, -3, 3, random);
      check_multipliers<ComplexFloat>(engine, 130, 3, min_exponent<float>(), -126, random);
      check_permuted<ComplexFloat>(engine, 150, random);
    }
  }
}

}  // namespace tilewright::test
