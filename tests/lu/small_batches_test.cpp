// Batches of matrices of up to 32 rows and columns, which one launch factors on GPUs, several per work-group.
#include <array>
#include <complex>
#include <limits>
#include <string>

#include "lu/lu_runner.hpp"
#include "support/daily_share.hpp"
#include "support/extreme_values.hpp"
#include "support/kernel_types.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;
using verification::RandomStream;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

const Engine& gpu_engine() {
  static const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
  return engine;
}

template <class T>
void check_quality(LuRunner<T>& run, std::uint64_t x) {
  CAPTURE(x);
  const verification::LuQuality quality = run.quality(x);
  CHECK(quality.pivots_are_rows);
  CHECK(quality.residual < verification::lu_threshold);
  CHECK(quality.element <= 1);
  CHECK(quality.multiplier <= verification::largest_multiplier<T>());
}

template <class T>
void check_random(std::uint64_t m, std::uint64_t n, Layout layout, std::uint64_t count) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(count);
  CAPTURE(static_cast<int>(layout));
  CAPTURE(static_cast<int>(detail::HostType<T>::type));
  LuRunner<T> run(m, n, layout, count, gpu_engine());
  run.fill(lu_random_element<T>);
  run.factor();
  for (std::uint64_t x = 0; x < count; ++x) {
    check_quality(run, x);
    CHECK(run.info[x] == 0);
  }
}

// Matrices whose elements have the sizes 2^least .. 2^most, different in each matrix.
template <class T>
void check_sizes(std::uint64_t n, int least, int most, RandomStream& random) {
  CAPTURE(n);
  CAPTURE(least);
  constexpr std::uint64_t count = 37;
  LuRunner<T> run(n, n, random.below(2) == 0 ? Layout::row_major : Layout::column_major, count, gpu_engine());
  std::array<int, count> exponents{};
  for (int& exponent : exponents)
    exponent = least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least) + 1));
  run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
    const std::complex<double> element = lu_random_element<T>(i, j, x);
    return std::complex<double>(std::ldexp(element.real(), exponents[x]), std::ldexp(element.imag(), exponents[x]));
  });
  run.factor();
  for (std::uint64_t x = 0; x < count; ++x)
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j) {
        const auto element = run.factors(x)(i, j);
        REQUIRE(std::isfinite(static_cast<double>(std::abs(element))));
        if (j < i) REQUIRE(std::abs(element) <= verification::largest_multiplier<T>());
      }
}

template <class T>
void check_all_sizes(RandomStream& random) {
  using Limits = std::numeric_limits<detail::Part<T>>;
  for (const std::uint64_t n : {1 + random.below(8), 9 + random.below(24)}) {
    check_sizes<T>(n, min_exponent<T>(), Limits::min_exponent + 2, random);
    // U grows by at most 2 per step, and little in random matrices.
    check_sizes<T>(n, Limits::max_exponent - 9, Limits::max_exponent - 7, random);
  }
}

}  // namespace

TEST_SUITE("lu of small matrices") {
  TEST_CASE("random sizes, in batches that do not fill the last work-group") {
    RandomStream random(31);
    DailyShare share(3);
    for (int turn = 0; turn < 36; ++turn) {
      const std::uint64_t m = 1 + random.below(32), n = turn % 3 == 0 ? 1 + random.below(32) : m;
      const Layout layout = turn % 2 == 0 ? Layout::row_major : Layout::column_major;
      const std::uint64_t count = 32 + random.below(20);
      if (!share.selects_next()) continue;
      check_random<float>(m, n, layout, count);
      if (turn % 4 == 0) check_random<ComplexFloat>(m, n, layout, count);
      if (!gpu_engine().profile().fp64) continue;
      if (turn % 2 == 0) check_random<double>(m, n, layout, count);
      if (turn % 4 == 1) check_random<Complex>(m, n, layout, count);
    }
    check_random<float>(32, 32, Layout::row_major, 33);
    if (gpu_engine().profile().fp64) check_random<Complex>(32, 32, Layout::column_major, 33);
  }

  TEST_CASE("one launch without workspace, also for solutions") {
    for (const std::uint64_t n : {1U, 4U, 20U, 32U}) {
      const Batch batch{.count = 1000, .stride_a = n * n}, with_b{.count = 1000, .stride_a = n * n, .stride_b = n};
      const GetrfPlan plan(gpu_engine(), {.m = n, .n = n, .batch = batch});
      CHECK(plan.workspace_bytes() == 0);
      CHECK(plan.explanation().reason.find("lu/factor_small.cl") != std::string::npos);
      const GesvPlan solution(gpu_engine(), {.n = n, .nrhs = 1, .batch = with_b});
      CHECK(solution.workspace_bytes() == 0);
      CHECK(solution.explanation().reason.find("lu/factor_small.cl") != std::string::npos);
    }
  }

  TEST_CASE("solutions of small systems") {
    constexpr std::uint64_t n = 13, count = 35;
    LuRunner<float> run(n, n, Layout::row_major, count, gpu_engine());
    run.fill(lu_random_element<float>);
    std::vector<float> b(n * count);
    for (std::uint64_t x = 0; x < count; ++x)
      for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < n; ++j)
          b[x * n + i] += static_cast<float>(run.original(x)(i, j)) * static_cast<float>(1 + j % 3);
    const cl::Buffer buffer(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, b.size() * 4, b.data());
    GesvProblem problem = run.problem_of<GesvProblem>();
    problem.nrhs = 1;
    problem.batch.stride_b = n;
    const GetrfOperands operands = run.operands();
    gesv(gpu_engine(), run.queue(), problem,
         {.a = operands.a, .pivots = operands.pivots, .info = operands.info, .b = {buffer()}})
        .wait();
    count_cases();
    count_kernel_of("lu");
    run.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, b.size() * 4, b.data());
    for (std::uint64_t x = 0; x < count; ++x)
      for (std::uint64_t i = 0; i < n; ++i)
        CHECK(b[x * n + i] == doctest::Approx(static_cast<double>(1 + i % 3)).epsilon(2e-2));
  }

  TEST_CASE("strides between pivots and between infos") {
    constexpr std::uint64_t n = 5, count = 41, pivot_stride = 8, info_stride = 3;
    LuRunner<float> run(n, n, Layout::column_major, count, gpu_engine());
    run.fill(
        [](std::uint64_t i, std::uint64_t j, std::uint64_t x) { return i + j == n - 1 ? 1.0 + double(x % 2) : 0; });
    GuardedIntegers pivots(count * pivot_stride), info(count * info_stride);
    GetrfProblem problem = run.problem();
    problem.batch.stride_pivots = pivot_stride;
    problem.batch.stride_info = info_stride;
    getrf(gpu_engine(), run.queue(), problem, {.a = run.operands().a, .pivots = pivots.ref(), .info = info.ref()})
        .wait();
    count_cases();
    const std::vector<std::int64_t> found = pivots.read(run.queue), infos = info.read(run.queue);
    const std::int64_t untouched = GuardedIntegers::guard;
    for (std::uint64_t x = 0; x < count; ++x) {
      for (std::uint64_t j = 0; j < pivot_stride; ++j)
        CHECK(found[x * pivot_stride + j] == (j < 2   ? static_cast<std::int64_t>(n - 1 - j)
                                              : j < n ? static_cast<std::int64_t>(j)
                                                      : untouched));
      for (std::uint64_t k = 0; k < info_stride; ++k) CHECK(infos[x * info_stride + k] == (k == 0 ? 0 : untouched));
    }
  }

  TEST_CASE("the first of equal elements is the pivot, also after interchanges") {
    for (const std::uint64_t n : {3U, 7U, 12U, 16U, 29U, 32U}) {
      CAPTURE(n);
      LuRunner<float> ones(n, n, Layout::row_major, 32, gpu_engine());
      ones.fill([](std::uint64_t, std::uint64_t, std::uint64_t) { return 1.0; });
      ones.factor();
      for (std::uint64_t j = 0; j < n; ++j) CHECK(ones.pivots[j] == static_cast<std::int64_t>(j));
      CHECK(ones.info[31] == 2);
      // The first pivot is the last row, so that row 0 takes the last place. Then all rows tie: the second one is
      // first.
      LuRunner<float> moved(n, n, Layout::column_major, 32, gpu_engine());
      moved.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) {
        return j == 0   ? (i + 1 == n ? 2.0 : 0.0)
               : j == 1 ? (i + 1 == n   ? 0.0
                           : i % 2 == 0 ? 1.0
                                        : -1.0)
                        : double(i == j);
      });
      moved.factor();
      CHECK(moved.pivots[0] == static_cast<std::int64_t>(n - 1));
      CHECK(moved.pivots[1] == 1);
    }
  }

  TEST_CASE("not a number is the pivot only if it comes first") {
    LuRunner<ComplexFloat> run(11, 9, Layout::column_major, 40, gpu_engine());
    run.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
      if (j == 0 && i == x % 11) return x % 2 == 0 ? Complex(none, 1) : Complex(1, none);
      return Complex(i == 8 && x % 11 != 8 ? 4 : 1, i == j ? 2 : 0);
    });
    run.factor();
    for (std::uint64_t x = 0; x < 40; ++x) {
      CAPTURE(x);
      CHECK(run.pivots[x * 9] == (x % 11 == 0 || x % 11 == 8 ? 0 : 8));
      CHECK(run.info[x] == 0);
    }
    // The first pivot is row 1, so that row 0 comes first in the second column.
    LuRunner<float> moved(6, 6, Layout::row_major, 32, gpu_engine());
    moved.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return j == 0 ? (i == 1 ? 2.0 : 0.0) : j == 1 && i == 0 ? none : 1.0;
    });
    moved.factor();
    CHECK(moved.pivots[0] == 1);
    CHECK(moved.pivots[1] == 1);
  }

  TEST_CASE("singular matrices next to regular ones") {
    for (const std::uint64_t n : {4U, 17U, 32U}) {
      CAPTURE(n);
      LuRunner<float> run(n, n, Layout::row_major, 35, gpu_engine());
      run.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
        return x % 3 == 1 && (j == x % n || j + 1 == n) ? 0 : lu_random(i, j, x);
      });
      run.factor();
      for (std::uint64_t x = 0; x < 35; ++x) {
        check_quality(run, x);
        CHECK(run.info[x] == (x % 3 == 1 ? static_cast<std::int64_t>(x % n + 1) : 0));
      }
    }
  }

  TEST_CASE("elements of any size") {
    RandomStream random(9);
    DailyShare share(2);
    for (int round = 0; round < 4; ++round) {
      if (!share.selects_next()) continue;
      check_all_sizes<float>(random);
      check_all_sizes<ComplexFloat>(random);
      if (!gpu_engine().profile().fp64) continue;
      check_all_sizes<double>(random);
      check_all_sizes<Complex>(random);
    }
  }

  TEST_CASE("100001 matrices") {
    constexpr std::uint64_t count = 100001;
    LuRunner<float> run(3, 3, Layout::row_major, count, gpu_engine());
    run.fill(lu_random_element<float>);
    run.factor();
    for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{77777}, count - 1})
      check_quality(run, x);
    CHECK(run.info == std::vector<std::int64_t>(count, 0));
  }
}

}  // namespace tilewright::test
