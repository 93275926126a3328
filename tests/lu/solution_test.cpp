// getrs, gesv, getri and det: residuals, batches, special values.
#include <complex>
#include <limits>

#include "lu/lu_runner.hpp"
#include "support/extreme_values.hpp"
#include "support/kernel_types.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;

constexpr Layout layouts[] = {Layout::row_major, Layout::column_major};

StoredShape shape_of_b(Layout layout, std::uint64_t n, std::uint64_t columns) {
  const bool by_rows = layout == Layout::row_major;
  return {by_rows ? n : columns, by_rows ? columns : n, (by_rows ? columns : n) + 1};
}

template <class T>
void check_system(Layout layout, std::uint64_t n, std::uint64_t columns, Transpose trans, std::uint64_t count,
                  const Engine& engine = shared_engine()) {
  CAPTURE(n);
  CAPTURE(columns);
  CAPTURE(static_cast<int>(trans));
  LuRunner<T> run(n, n, layout, count, engine);
  run.fill(lu_random_element<T>);
  const StoredShape shape = shape_of_b(layout, n, columns);
  GuardedMatrix<T> b(run.engine(), shape, 2, Memory::banded, count, shape.span() + 3);
  for (std::uint64_t x = 0; x < count; ++x)
    for (std::uint64_t line = 0; line < shape.lines; ++line)
      for (std::uint64_t i = 0; i < shape.length; ++i)
        b.data(x)[line * shape.leading + i] = lu_random_element<T>(line + 3, i + 5, x + 9);
  b.upload(run.queue);
  const auto with_b = [&](auto problem) {
    problem.nrhs = columns;
    problem.ldb = shape.leading;
    problem.batch.stride_b = shape.span() + 3;
    return problem;
  };
  const auto [a, pivots, info, workspace, event] = run.operands();
  if (trans != Transpose::no) {
    run.factor();
    GetrsProblem problem = with_b(run.template problem_of<GetrsProblem>());
    problem.trans = trans;
    getrs(run.engine(), run.queue(), problem, {.a = a, .pivots = pivots, .b = b.ref()}).wait();
  } else {
    gesv(run.engine(), run.queue(), with_b(run.template problem_of<GesvProblem>()),
         {.a = a, .pivots = pivots, .info = info, .b = b.ref()})
        .wait();
  }
  count_cases();
  b.download(run.queue);
  CHECK(b.damage(true).empty());
  for (std::uint64_t x = 0; x < count; ++x) {
    const LuMatrix<T> right{b.data(x), layout, n, columns, shape.leading};
    const LuMatrix<T> found{b.result(x), layout, n, columns, shape.leading};
    CHECK(system_residual(run.original(x, trans), found, &right, 0, columns) < lu_threshold);
  }
}

template <class T>
void check_inverse(Layout layout, std::uint64_t n, std::uint64_t count, const Engine& engine = shared_engine()) {
  CAPTURE(n);
  LuRunner<T> run(n, n, layout, count, engine);
  run.fill(lu_random_element<T>);
  run.factor();
  const StoredShape shape = shape_of_b(layout, n, n);
  GuardedMatrix<T> b(run.engine(), shape, 0, Memory::banded, count, shape.span());
  b.poison();
  b.upload(run.queue);
  GetriProblem problem = run.template problem_of<GetriProblem>();
  problem.ldb = shape.leading;
  problem.batch.stride_b = shape.span();
  getri(run.engine(), run.queue(), problem, {.a = run.operands().a, .pivots = run.operands().pivots, .b = b.ref()})
      .wait();
  count_cases();
  b.download(run.queue);
  CHECK(b.damage(true).empty());
  for (std::uint64_t x = 0; x < count; ++x) {
    const LuMatrix<T> found{b.result(x), layout, n, n, shape.leading};
    CHECK(system_residual<T>(run.original(x), found, nullptr, 0, n) < lu_threshold);
  }
}

// Returns the sign and the logarithm of each determinant, then a guard.
template <class T>
std::vector<T> determinant_of(LuRunner<T>& run) {
  run.factor();
  const std::uint64_t count = run.problem().batch.count;
  std::vector<T> found(2 * count + 1, static_cast<T>(77));
  const cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, found.size() * sizeof(T),
                          found.data());
  det(run.engine(), run.queue(), run.template problem_of<DetProblem>(),
      {.a = run.operands().a, .pivots = run.operands().pivots, .determinant = {buffer()}})
      .wait();
  count_cases();
  run.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, found.size() * sizeof(T), found.data());
  CHECK(found.back() == static_cast<T>(77));
  return found;
}

}  // namespace

TEST_SUITE("lu solutions") {
  TEST_CASE("systems with one and several right-hand sides, transposed systems, batches") {
    for (const Layout layout : layouts)
      for (const Transpose trans : {Transpose::no, Transpose::yes}) {
        check_system<double>(layout, 1, 1, trans, 1);
        check_system<double>(layout, 33, 3, trans, 3);
        check_system<double>(layout, 64, 20, trans, 1);
        check_system<double>(layout, 100, 5, trans, 1);
        check_system<float>(layout, 70, 2, trans, 2);
        check_system<float>(layout, 70, 17, trans, 2);
      }
  }

  // On CPUs one launch solves up to order 2048 with up to 16 right-hand sides.
  TEST_CASE("few right-hand sides: every number of them, orders around multiples of vectors") {
    for (const Layout layout : layouts)
      for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose}) {
        for (const std::uint64_t columns : {1U, 2U, 4U, 16U}) {
          check_system<float>(layout, 131, columns, trans, 2);
          check_system<ComplexFloat>(layout, 37, columns, trans, 1);
          if (trans != Transpose::conjugate_transpose) check_system<double>(layout, 90, columns, trans, 1);
        }
        check_system<Complex>(layout, 67, 3, trans, 2);
        check_system<Complex>(layout, 24, 8, trans, 1);
      }
    check_system<float>(Layout::column_major, 520, 1, Transpose::no, 1);
    check_system<float>(Layout::column_major, 520, 17, Transpose::yes, 1);
  }

  TEST_CASE("complex systems: A, A^T and A^H") {
    for (const Layout layout : layouts)
      for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose}) {
        check_system<Complex>(layout, 1, 1, trans, 1);
        check_system<Complex>(layout, 33, 3, trans, 3);
        check_system<ComplexFloat>(layout, 64, 20, trans, 1);
        check_system<Complex>(layout, 100, 5, trans, 1);
        check_system<ComplexFloat>(layout, 70, 2, trans, 2);
        check_system<ComplexFloat>(layout, 70, 17, trans, 1);
      }
    check_system<double>(Layout::row_major, 33, 3, Transpose::conjugate_transpose, 1);  // A^T
  }

  TEST_CASE("inverses") {
    for (const Layout layout : layouts) {
      check_inverse<double>(layout, 32, 4);
      check_inverse<float>(layout, 50, 1);
      check_inverse<double>(layout, 90, 1);
      check_inverse<float>(layout, 129, 1);  // on CPUs, columns of L^-1 are computed in blocks of 128
      check_inverse<double>(layout, 257, 2);
      check_inverse<Complex>(layout, 32, 4);
      check_inverse<ComplexFloat>(layout, 90, 1);
      check_inverse<ComplexFloat>(layout, 140, 1);
    }
  }

  TEST_CASE("systems and inverses by the kernels for GPUs") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    for (const Layout layout : layouts) {
      // More than 256 interchanges take several turns, forwards and backwards.
      check_system<float>(layout, 270, 21, Transpose::no, 2, engine);
      check_system<float>(layout, 270, 21, Transpose::yes, 2, engine);
      check_system<Complex>(layout, 70, 5, Transpose::conjugate_transpose, 1, engine);
      check_inverse<float>(layout, 100, 1, engine);
    }
  }

  TEST_CASE("all systems of a batch share one matrix") {
    LuRunner<double> run(20, 20, Layout::row_major);
    run.fill(lu_random_element<double>);
    run.factor();
    GuardedMatrix<double> b(run.engine(), {20, 1, 1}, 0, Memory::banded, 3, 20);
    for (std::uint64_t x = 0; x < 3; ++x)
      for (std::uint64_t i = 0; i < 20; ++i) b.data(x)[i] = lu_random(i, x, 1);
    b.upload(run.queue);
    GetrsProblem problem = run.problem_of<GetrsProblem>();
    problem.nrhs = 1;
    problem.batch = {.count = 3, .stride_b = 20};
    getrs(run.engine(), run.queue(), problem, {.a = run.operands().a, .pivots = run.operands().pivots, .b = b.ref()})
        .wait();
    b.download(run.queue);
    for (std::uint64_t x = 0; x < 3; ++x) {
      const LuMatrix<double> right{b.data(x), Layout::row_major, 20, 1, 1};
      const LuMatrix<double> found{b.result(x), Layout::row_major, 20, 1, 1};
      CHECK(system_residual(run.original(), found, &right, 0, 1) < lu_threshold);
    }
    count_cases();
  }

  TEST_CASE("complex determinants: direction and logarithm, singular, NaN, infinity, pivots of any size") {
    LuRunner<Complex> shift(100, 100, Layout::row_major);
    // 2 + 2 i times an odd permutation, so that the direction is -(1 + i)^100 / |1 + i|^100 = -exp(25 pi i) = 1.
    shift.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return j == (i + 1) % 100 ? Complex(2, 2) : Complex(0, 0);
    });
    const std::vector<Complex> found = determinant_of(shift);
    CHECK(std::abs(found[0] - 1.0) < 1e-14);
    CHECK(found[1].real() == doctest::Approx(100 * std::log(std::sqrt(8.0))).epsilon(1e-13));
    CHECK(found[1].imag() == 0);
    LuRunner<ComplexFloat> batch(2, 2, Layout::column_major, 5);
    batch.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
      constexpr double none = std::numeric_limits<double>::quiet_NaN(), most = std::numeric_limits<double>::infinity();
      if (x == 1) return Complex(1, 1);
      if (i != j) return Complex(0, 0);
      if (x == 2) return Complex(1, i == 0 ? none : 0);
      if (x == 3) return i == 0 ? Complex(0, 3e38) : Complex(0, -1e-40);
      if (x == 4) return i == 0 ? Complex(0, most) : Complex(5, 0);
      return Complex(0, 3);
    });
    const std::vector<ComplexFloat> five = determinant_of(batch);
    CHECK(std::abs(five[0] + 1.0F) < 1e-6);
    CHECK(five[1].real() == doctest::Approx(2 * std::log(3.0)));
    CHECK(five[2] == ComplexFloat(0, 0));
    CHECK(five[3].real() == -std::numeric_limits<float>::infinity());
    CHECK(std::isnan(std::abs(five[4])));
    CHECK(std::isnan(five[5].real()));
    CHECK(std::abs(five[8] - ComplexFloat(0, 1)) < 1e-6);
    CHECK(five[9].real() == std::numeric_limits<float>::infinity());
    if (min_exponent<float>() < -130) {
      CHECK(std::abs(five[6] - 1.0F) < 1e-6);
      CHECK(five[7].real() == doctest::Approx(std::log(3e38) + std::log(1e-40)).epsilon(1e-3));
    }
  }

  TEST_CASE("determinants: sign and logarithm, singular, NaN, empty") {
    // Twice a cyclic shift by one, which is an odd permutation because the number of rows is even.
    LuRunner<double> shift(100, 100, Layout::row_major);
    shift.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t) { return j == (i + 1) % 100 ? 2.0 : 0.0; });
    const std::vector<double> found = determinant_of(shift);
    CHECK(found[0] == -1);
    CHECK(found[1] == doctest::Approx(100 * std::log(2.0)).epsilon(1e-13));
    LuRunner<float> batch(3, 3, Layout::column_major, 3);
    batch.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
      if (x == 1) return 1.0;
      if (x == 2 && i == 0 && j == 0) return std::numeric_limits<double>::quiet_NaN();
      return i == j ? -3.0 : 0.0;
    });
    const std::vector<float> three = determinant_of(batch);
    CHECK(three[0] == -1);
    CHECK(three[1] == doctest::Approx(3 * std::log(3.0)));
    CHECK(three[2] == 0);
    CHECK(three[3] == -std::numeric_limits<float>::infinity());
    CHECK(std::isnan(three[4]));
    CHECK(std::isnan(three[5]));
    float empty[2] = {9, 9};
    const cl::CommandQueue queue = make_queue();
    const cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof empty, empty);
    det(shared_engine(), queue(), {}, {.determinant = {buffer()}}).wait();
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof empty, empty);
    CHECK(empty[0] == 1);
    CHECK(empty[1] == 0);
  }
}

}  // namespace tilewright::test
