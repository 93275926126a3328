// gesv with refinements: systems in f64 and c128 solved with factors in f32 and c64.
#include <array>
#include <complex>
#include <limits>
#include <string>

#include "lu/lu_runner.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

constexpr Layout layouts[] = {Layout::row_major, Layout::column_major};

// A system with guards around all operands, and its solution. T is double or std::complex<double>.
template <class T>
class MixedSystemOf {
 public:
  MixedSystemOf(Layout layout, std::uint64_t n, std::uint64_t columns)
      : run_(n, n, layout),
        shape_(layout == Layout::row_major ? StoredShape{n, columns, columns + 2} : StoredShape{columns, n, n + 2}),
        b_(run_.engine(), shape_, 2, Memory::banded, 1, shape_.span()),
        iterations_(1) {
    problem_ = run_.template problem_of<GesvProblem>();
    problem_.nrhs = columns;
    problem_.ldb = shape_.leading;
    problem_.batch = {};
    problem_.refinements = default_refinements;
  }

  // Solves A X = B with random B. Returns the iterations.
  template <class Elements>
  std::int64_t solve(const Elements& a, double b_scale = 1) {
    run_.fill(a);
    for (std::uint64_t line = 0; line < shape_.lines; ++line)
      for (std::uint64_t i = 0; i < shape_.length; ++i)
        b_.data(0)[line * shape_.leading + i] = b_scale * lu_random_element<T>(line + 3, i + 5, 9);
    b_.upload(run_.queue);
    gesv(run_.engine(), run_.queue(), problem_, operands()).wait();
    count_cases();
    count_kernel_of("lu");
    run_.download();
    b_.download(run_.queue);
    CHECK(b_.damage(true).empty());
    const GesvProblem& p = problem_;
    CHECK(same(run_.original(), run_.factors(), p.n, p.n));  // A is unchanged
    const std::int64_t iterations = iterations_.read(run_.queue).front();
    if (iterations < 0) CHECK(same(view(b_.data(0)), view(b_.result(0)), p.n, p.nrhs));
    return iterations;
  }

  double residual() {
    const LuMatrix<T> right = view(b_.data(0));
    return system_residual(run_.original(), view(b_.result(0)), &right, 0, problem_.nrhs);
  }
  LuRunner<T>& run() { return run_; }
  GesvProblem& problem() { return problem_; }
  GesvOperands operands() {
    const GetrfOperands of_a = run_.operands();
    return {.a = of_a.a, .pivots = of_a.pivots, .info = of_a.info, .b = b_.ref(), .iterations = iterations_.ref()};
  }

 private:
  static bool same(const LuMatrix<T>& a, const LuMatrix<T>& b, std::uint64_t rows, std::uint64_t columns) {
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t j = 0; j < columns; ++j)
        if (a(i, j) != b(i, j)) return false;
    return true;
  }
  LuMatrix<T> view(const T* elements) { return {elements, problem_.layout, problem_.n, problem_.nrhs, shape_.leading}; }

  LuRunner<T> run_;
  GesvProblem problem_;
  StoredShape shape_;
  GuardedMatrix<T> b_;
  GuardedIntegers iterations_;
};
using MixedSystem = MixedSystemOf<double>;
using ComplexSystem = MixedSystemOf<std::complex<double>>;

// Returns H D H for a reflection H and a diagonal D with elements from 1 to `smallest`. Its condition number is D's.
LuElements conditioned(std::uint64_t n, double smallest) {
  return [n, smallest](std::uint64_t i, std::uint64_t j, std::uint64_t) {
    // H = I - 2 / n v v^T with v of ones: (H D H)(i, j) = D(i, j) - 2 / n (d_i + d_j) + 4 / n^2 sum of d
    const double count = static_cast<double>(n);
    const auto d = [&](std::uint64_t k) { return std::pow(smallest, static_cast<double>(k) / (count - 1)); };
    double sum = 0;
    for (std::uint64_t k = 0; k < n; ++k) sum += d(k);
    return (i == j ? d(i) : 0.0) - 2 / count * (d(i) + d(j)) + 4 / (count * count) * sum;
  };
}

}  // namespace

TEST_SUITE("lu refinement") {
  TEST_CASE("solutions are as accurate as those of f64: both layouts, one and several right-hand sides, all scales") {
    for (const Layout layout : layouts)
      for (const std::uint64_t n : {1U, 50U, 150U})
        for (const std::uint64_t columns : {1U, 5U}) {
          CAPTURE(n);
          CAPTURE(columns);
          MixedSystem system(layout, n, columns);
          const std::int64_t iterations = system.solve(lu_random, n == 50 ? 1e200 : 1e-200);
          CHECK(iterations >= 0);
          CHECK(iterations <= static_cast<std::int64_t>(default_refinements));
          CHECK(system.run().info.front() == 0);
          CHECK(system.residual() < lu_threshold);
        }
  }

  TEST_CASE("condition numbers: 1e5 is refined, 1e10 is reported") {
    MixedSystem good(Layout::row_major, 80, 2);
    const std::int64_t iterations = good.solve(conditioned(80, 1e-5));
    CHECK(iterations >= 1);
    CHECK(good.residual() < lu_threshold);
    // A larger maximum changes nothing.
    MixedSystem more(Layout::row_major, 80, 2);
    more.problem().refinements = 30;
    CHECK(more.solve(conditioned(80, 1e-5)) == iterations);
    CHECK(more.residual() == good.residual());
    MixedSystem bad(Layout::column_major, 80, 2);
    CHECK(bad.solve(conditioned(80, 1e-10)) == -1);
    CHECK(bad.run().info.front() == 0);
  }

  TEST_CASE("complex solutions are as accurate as those of c128") {
    for (const Layout layout : layouts)
      for (const std::uint64_t n : {1U, 50U, 150U}) {
        CAPTURE(n);
        ComplexSystem system(layout, n, 3);
        const std::int64_t iterations = system.solve(lu_random_element<std::complex<double>>, n == 50 ? 1e200 : 1e-200);
        CHECK(iterations >= 0);
        CHECK(iterations <= static_cast<std::int64_t>(default_refinements));
        CHECK(system.run().info.front() == 0);
        CHECK(system.residual() < lu_threshold);
      }
  }

  TEST_CASE("complex matrices: ill-conditioned, singular in c64, an imaginary part too large for c64, B = 0") {
    const auto turned = [](const LuElements& a) {
      return [a](std::uint64_t i, std::uint64_t j, std::uint64_t x) { return std::complex(0.6, 0.8) * a(i, j, x); };
    };
    ComplexSystem good(Layout::row_major, 80, 2);
    CHECK(good.solve(turned(conditioned(80, 1e-5))) >= 1);
    CHECK(good.residual() < lu_threshold);
    CHECK(good.solve(turned(conditioned(80, 1e-10))) == -1);
    CHECK(good.run().info.front() == 0);
    CHECK(good.solve([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return std::complex(0.0, i == j ? 1e-60 : 0.0);
    }) == -1);
    CHECK(good.run().info.front() == 1);
    CHECK(good.solve([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return i != j ? std::complex(0.0, 0.0) : std::complex(1.0, i == 69 ? 1e60 : 0.0);
    }) == -1);
    CHECK(good.solve(lu_random_element<std::complex<double>>, 0) == 0);
    CHECK(good.solve(lu_random_element<std::complex<double>>) >= 0);
  }

  TEST_CASE("singular in f32, too large for f32, B = 0") {
    MixedSystem system(Layout::row_major, 70, 1);
    CHECK(system.solve([](std::uint64_t i, std::uint64_t j, std::uint64_t) { return i == j ? 1e-60 : 0.0; }) == -1);
    CHECK(system.run().info.front() == 1);
    for (const double last : {1e60, std::numeric_limits<double>::infinity()})
      CHECK(system.solve([last](std::uint64_t i, std::uint64_t j, std::uint64_t) {
        return i != j ? 0.0 : i == 69 ? last : 1.0;
      }) == -1);
    CHECK(system.solve([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
      return i == 3 ? 1e39 * lu_random(i, j, x) : lu_random(i, j, x);
    }) == -1);
    CHECK(system.solve(lu_random, 0) == 0);
    CHECK(system.solve(lu_random) >= 0);
  }

  TEST_CASE("matrices near the limits of f32 are solved, or reported and left alone") {
    for (const double size : {1e-310, 1e-300, 1e-46, 1e-44, 1e-41, 1e-38, 1e-30, 1e30, 1e38, 1e39, 1e300})
      for (const bool is_single_row : {false, true}) {
        CAPTURE(size);
        CAPTURE(is_single_row);
        MixedSystem system(Layout::column_major, 70, 2);
        const std::int64_t iterations = system.solve([&](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
          const double scale = is_single_row && i != 9 ? 1 : size;
          return scale * ((i == j ? 9 : 0) + lu_random(i, j, x));
        });
        if (iterations >= 0) CHECK(system.residual() < lu_threshold);
        if (size >= 1e-30 && size <= 1e30) CHECK(iterations >= 0);
        if (size < 1e-46 || size > 1e38) CHECK(iterations == -1);
      }
  }

  TEST_CASE("nothing to solve") {
    for (const std::uint64_t n : {0U, 3U}) {
      GuardedIntegers pivots(3), info(1), iterations(1);
      const cl::CommandQueue queue = make_queue();
      std::array<double, 9> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
      const cl::Buffer a(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof identity, identity.data());
      gesv(shared_engine(), queue(), {.type = DataType::f64, .n = n, .nrhs = n == 0 ? 2U : 0U, .refinements = 3},
           {.a = {a()}, .pivots = pivots.ref(), .info = info.ref(), .iterations = iterations.ref()})
          .wait();
      CHECK(info.read(queue).front() == 0);
      CHECK(iterations.read(queue).front() == 0);
    }
  }

  TEST_CASE("invalid problems and operands") {
    MixedSystem system(Layout::row_major, 7, 1);
    CHECK(system.solve(lu_random) >= 0);
    GesvProblem problem = system.problem();
    const GesvProblem right = problem;
    const auto refused = [&](ErrorCode code, const std::string& message) {
      CHECK(mentions(expect_error(code, [&] { GesvPlan(shared_engine(), problem); }), message));
      problem = right;
    };
    problem.type = DataType::f32;
    refused(ErrorCode::unsupported_type, "the type is f32; only f64 and c128 can be refined");
    problem.refinements = 31;
    refused(ErrorCode::invalid_configuration, "the maximum is 30");
    problem.batch.count = 2;
    refused(ErrorCode::invalid_batch, "the batch has 2 systems");
    GesvOperands operands = system.operands();
    operands.b = operands.a;
    operands.iterations = operands.info;
    const auto call = [&] { gesv(shared_engine(), system.run().queue(), problem, operands); };
    expect_error(ErrorCode::overlapping_operands, call);
    operands.iterations = {};
    CHECK(mentions(expect_error(ErrorCode::null_object, OperandName::iterations, call), "iterations"));
  }
}

// Few instructions, for devices that simulate each.
TEST_SUITE("every kernel of lu") {
  TEST_CASE("refinement") {
    MixedSystem system(Layout::row_major, 20, 2);
    CHECK(system.solve(lu_random) >= 0);
    CHECK(system.residual() < lu_threshold);
    ComplexSystem complex(Layout::column_major, 20, 2);
    CHECK(complex.solve(lu_random_element<std::complex<double>>) >= 0);
    CHECK(complex.residual() < lu_threshold);
  }
}

}  // namespace tilewright::test
