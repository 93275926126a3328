// Triangular matrices with diagonals of any size, subnormal to huge: X keeps the error bound of substitution. If A is
// diagonal, X is as accurate as a division.
#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/extreme_values.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/triangular.hpp"
#include "verification/triangular/lower_triangle.hpp"
#include "verification/triangular/triangular_residuals.hpp"

namespace tilewright::test {
namespace {

// Systems T X = B, where T is op(A) or, for Side::right, its transpose.
template <class T>
class ExtremeSystems {
 public:
  using Real = detail::Part<T>;

  ExtremeSystems(std::uint64_t order, std::uint64_t nrhs, std::uint64_t count, RandomStream& random)
      : order_(order), nrhs_(nrhs), count_(count) {
    const bool left = random.below(2) == 0;
    problem_ = {.type = detail::HostType<T>::type,
                .layout = random.below(2) == 0 ? Layout::row_major : Layout::column_major,
                .side = left ? Side::left : Side::right,
                .uplo = random.below(2) == 0 ? Uplo::lower : Uplo::upper,
                .trans = random.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose}),
                .m = left ? order : nrhs,
                .n = left ? nrhs : order,
                .batch = {.count = count, .stride_a = order * order, .stride_b = order * nrhs}};
    a_.assign(count * order * order, T{std::numeric_limits<Real>::quiet_NaN()});
    b_.resize(count * order * nrhs);
  }

  // Returns element (i, j) of T, or element (i, column) of B.
  T& t(std::uint64_t system, std::uint64_t i, std::uint64_t j) {
    const bool is_transposed = (problem_.side == Side::left) == (problem_.trans != Transpose::no);
    if (is_transposed != (problem_.layout == Layout::column_major)) std::swap(i, j);
    return a_[(system * order_ + i) * order_ + j];
  }
  T& b(std::vector<T>& of, std::uint64_t system, std::uint64_t i, std::uint64_t column) const {
    const bool is_row_major = (problem_.side == Side::left) == (problem_.layout == Layout::row_major);
    return of[system * order_ * nrhs_ + (is_row_major ? i * nrhs_ + column : column * order_ + i)];
  }
  bool is_lower() const {
    return (problem_.uplo == Uplo::lower) == ((problem_.side == Side::left) == (problem_.trans == Transpose::no));
  }

  // Row i of T and B is as large as the diagonal element, so that X is near 1. `coupling` scales the other elements.
  void fill(RandomStream& random, const std::vector<Real>& diagonal, double coupling) {
    for (std::uint64_t system = 0; system < count_; ++system)
      for (std::uint64_t i = 0; i < order_; ++i) {
        const double size = static_cast<double>(diagonal[random.below(diagonal.size())]);
        for (std::uint64_t j = 0; j < order_; ++j)
          if (i == j)
            t(system, i, j) = verification::with_direction<T>(random, static_cast<Real>(size), true);
          else if (is_lower() == (j < i))
            t(system, i, j) = drawn(random, size * coupling / static_cast<double>(order_));
        for (std::uint64_t column = 0; column < nrhs_; ++column) b(b_, system, i, column) = drawn(random, size);
      }
  }

  void solve(const Engine& engine) {
    const cl::CommandQueue queue = make_queue();
    const cl::Context context = shared_context();
    const auto buffer = [&](std::vector<T>& of) {
      cl::Buffer made(context, CL_MEM_READ_WRITE, of.size() * sizeof(T));
      queue.enqueueWriteBuffer(made, CL_TRUE, 0, of.size() * sizeof(T), of.data());
      return made;
    };
    const cl::Buffer a = buffer(a_), b = buffer(b_);
    trsm(engine, queue(), problem_, {.a = {a()}, .b = {b()}}, {}, Choice{"naive", {}}).wait();
    count_cases();
    count_kernel_of("trsm");
    x_ = b_;
    queue.enqueueReadBuffer(b, CL_TRUE, 0, x_.size() * sizeof(T), x_.data());
  }

  // Describes the first residual that exceeds its bound; empty if there is none.
  std::string wrong() const {
    for (std::uint64_t system = 0; system < count_; ++system) {
      const T* const a = &a_[system * order_ * order_];
      const std::uint64_t first = system * order_ * nrhs_;
      std::string text = wrong_solution(verification::triangular_system(problem_, T{1}, a, &b_[first], &x_[first]),
                                        small_numbers<T>().error());
      if (!text.empty()) return text;
    }
    return {};
  }

 private:
  // Returns a number with parts below `size`.
  static T drawn(RandomStream& random, double size) {
    const auto part = [&] { return size * random.symmetric(); };
    return verification::with_imaginary<T>(part(), part);
  }

  std::uint64_t order_, nrhs_, count_;
  TrsmProblem problem_;
  std::vector<T> a_, b_, x_;
};

// A batch of `count` systems; 0: one or two systems.
template <class T>
void check_extremes(const Engine& engine, std::uint64_t order, RandomStream& random, std::uint64_t count = 0) {
  CAPTURE(order);
  CAPTURE(static_cast<int>(detail::HostType<T>::type));
  using Real = detail::Part<T>;
  using Limits = std::numeric_limits<Real>;
  const int least = min_exponent<T>(), most = Limits::max_exponent - 3;
  std::vector<Real> diagonal(2 * order);
  const bool is_mixed = random.below(2) == 0;  // otherwise all elements are at one end of the range
  const int first = is_mixed || random.below(2) == 0 ? least : most - 2;
  const int last = is_mixed || first != least ? most : std::max(least, Limits::min_exponent - 4);
  for (Real& element : diagonal) element = random.of_any_size<Real>(first, last);
  ExtremeSystems<T> systems(order, 1 + random.below(19), count != 0 ? count : 1 + random.below(2), random);
  systems.fill(random, diagonal, 1);
  systems.solve(engine);
  CHECK(systems.wrong() == "");
  // A diagonal A may have elements at both ends of the range.
  diagonal = {Limits::max(), -Limits::max(), std::ldexp(Real{1}, least), Limits::min(), Real{1}};
  systems.fill(random, diagonal, 0);
  systems.solve(engine);
  CHECK(systems.wrong() == "");
}

}  // namespace

TEST_SUITE("trsm") {
  TEST_CASE("diagonals of any size keep the bound") {
    RandomStream random(2024);
    constexpr std::array<std::uint64_t, 6> orders{13, 260, 1, 128, 100, 16};
    const std::uint64_t rounds = test_level() == TestLevel::quick ? 2 : test_level() == TestLevel::normal ? 8 : 100;
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint64_t order = round < orders.size() ? orders[round] : 65 + random.below(200);
        check_extremes<float>(engine, order, random);
        if (engine.profile().fp64 && round % 5 < 2) check_extremes<double>(engine, order, random);
        check_extremes<std::complex<float>>(engine, order, random);
        if (engine.profile().fp64 && round % 5 < 2) check_extremes<std::complex<double>>(engine, order, random);
        const std::uint64_t small = 1 + random.below(32);
        check_extremes<float>(engine, small, random, 33);
        if (engine.profile().fp64) check_extremes<double>(engine, small, random, 34);
        check_extremes<std::complex<float>>(engine, small, random, 35);
        if (engine.profile().fp64) check_extremes<std::complex<double>>(engine, small, random, 36);
      }
    }
  }
}

// Small cases for slow devices.
TEST_SUITE("every kernel at extremes") {
  TEST_CASE("trsm with diagonals of any size") {
    RandomStream random(1);
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      for (const std::uint64_t order : {20U, 2U}) check_extremes<float>(engine, order, random);
      check_extremes<std::complex<float>>(engine, 2, random);
    }
  }
}

}  // namespace tilewright::test
