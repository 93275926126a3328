// geqrf: residuals, orthogonality, LAPACK's form, edges of panels, columns of all sizes.
#include <cmath>
#include <complex>
#include <limits>
#include <tuple>

#include "qr/qr_runner.hpp"
#include "support/daily_share.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;
using verification::RandomStream;

template <class T>
void check_factors(QrRunner<T>& run) {
  CAPTURE(run.problem().m);
  CAPTURE(run.problem().n);
  CAPTURE(static_cast<int>(run.problem().layout));
  run.factor();
  for (std::uint64_t x = 0; x < run.problem().batch.count; ++x) {
    CAPTURE(x);
    CHECK(run.ratio(x) < qr_threshold);
    CHECK(run.orthogonality(x) < qr_threshold);
  }
}

template <class T>
void check_random(std::uint64_t m, std::uint64_t n, Layout layout, std::uint64_t count = 1,
                  const Engine& engine = shared_engine()) {
  QrRunner<T> run(m, n, layout, count, engine);
  RandomStream random(m + 1000 * n);
  run.a.fill(random);
  check_factors(run);
}

// Sizes near the edges of vectors, sub-panels and panels.
template <class T>
void check_shapes(const Engine& engine) {
  for (const Layout layout : qr_layouts) {
    for (const auto& [m, n] :
         {std::pair{1U, 1U}, {1U, 5U}, {5U, 1U}, {31U, 33U}, {64U, 32U}, {65U, 20U}, {40U, 90U}, {131U, 129U}})
      check_random<T>(m, n, layout, 1, engine);
    check_random<T>(17, 17, layout, 5, engine);
    check_random<T>(70, 66, layout, 2, engine);
    check_random<T>(12, 40, layout, 3, engine);
  }
}

template <class T>
double largest_difference(const verification::QrMatrix<T>& x, const verification::QrMatrix<T>& y) {
  double largest = 0;
  for (std::size_t i = 0; i < x.elements.size(); ++i)
    largest = std::max(largest, static_cast<double>(std::abs(x.elements[i] - y.elements[i])));
  return largest;
}

// From so many matrices on, GPUs factor several small ones per work-group.
constexpr std::uint64_t small_count = 33;

// Compares R, the vectors and tau of the last matrix of a batch with those of LAPACK's algorithm.
template <class T>
void check_form(const Engine& engine) {
  for (const auto& [m, n, count] : {std::tuple{40U, 36U, std::uint64_t{1}},
                                    {20U, 30U, 1U},
                                    {100U, 70U, 1U},
                                    {32U, 32U, small_count},
                                    {9U, 30U, small_count},
                                    {25U, 6U, small_count}}) {
    QrRunner<T> run(m, n, Layout::column_major, count, engine);
    RandomStream random(7);
    run.a.fill(random);
    run.factor();
    const QrReflectors<T> expected = verification::reference_factors(run.a.sent(count - 1)),
                          found = run.factors(count - 1);
    const double tolerance = 1e4 * std::numeric_limits<detail::Part<T>>::epsilon();
    CHECK(largest_difference(found.vectors, expected.vectors) < tolerance);
    for (std::uint64_t i = 0; i < std::min(m, n); ++i) {
      CHECK(static_cast<double>(std::abs(found.tau[i] - expected.tau[i])) < tolerance);
      CHECK(std::imag(found.vectors(i, i)) == 0);
    }
  }
}

// Columns that are many powers of two apart, from the smallest normal numbers to the largest.
template <class T>
void check_scaled_columns(const Engine& engine, std::uint64_t rows, std::uint64_t count) {
  using Real = detail::Part<T>;
  constexpr int least = std::numeric_limits<Real>::min_exponent, most = std::numeric_limits<Real>::max_exponent - 12;
  QrRunner<T> run(rows, 6, Layout::column_major, count, engine);
  RandomStream random(3);
  run.a.fill(random);
  const std::uint64_t last = count - 1;
  const int exponents[] = {least + 2, most, 0, least + 2, most, least / 2};
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < 6; ++j) run.a.at(i, j, last) *= std::ldexp(Real{1}, exponents[j]);
  run.factor();
  CHECK(run.orthogonality(last) < qr_threshold);
  // Column by column, because the largest one would hide all others.
  const QrReflectors<T> factors = run.factors(last);
  for (std::uint64_t j = 0; j < 6; ++j) {
    CAPTURE(j);
    verification::QrMatrix<T> column(rows, 1), r(rows, 1);
    for (std::uint64_t i = 0; i < rows; ++i) column(i, 0) = run.a.sent(last)(i, j);
    for (std::uint64_t i = 0; i <= j; ++i) r(i, 0) = factors.vectors(i, j);
    CHECK(difference_ratio(multiplied_by_q(factors, false, r), column, rows,
                           static_cast<verification::QrPart<T>>(std::numeric_limits<Real>::denorm_min())) <
          qr_threshold);
  }
}

// Elements of one sign, half as large as the norm of a column permits.
template <class T>
void check_large_elements(const Engine& engine) {
  using Real = detail::Part<T>;
  for (const auto& shape : {std::pair{3U, std::uint64_t{1}}, {100U, 1U}, {300U, 1U}, {32U, small_count}}) {
    const std::uint64_t m = shape.first, count = shape.second;
    CAPTURE(m);
    QrRunner<T> run(m, 3, Layout::column_major, count, engine);
    const Real norm = std::numeric_limits<Real>::max() / 2,
               size = norm / std::sqrt(static_cast<Real>(m * sizeof(T) / sizeof(Real)));
    run.a.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) {
      return verification::with_imaginary<T>(static_cast<double>(i + 1 == j ? size / 2 : size),
                                             [&] { return static_cast<double>(size); });
    });
    run.factor();
    CHECK(std::abs(run.a.result_at(0, 0, count - 1)) == doctest::Approx(norm).epsilon(1e-5));
    CHECK(run.ratio(count - 1) < qr_threshold);
    CHECK(run.orthogonality(count - 1) < qr_threshold);
  }
}

}  // namespace

TEST_SUITE("geqrf") {
  TEST_CASE("random matrices of sizes near the edges of sub-panels and panels") {
    check_shapes<float>(shared_engine());
    check_shapes<double>(shared_engine());
    check_shapes<ComplexFloat>(shared_engine());
    check_shapes<Complex>(shared_engine());
  }

  TEST_CASE("the kernels for GPUs: one group, and several groups with a launch per column") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    DailyShare share(2);
    if (share.selects_next()) check_shapes<float>(engine);
    if (share.selects_next()) check_shapes<double>(engine);
    if (share.selects_next()) check_shapes<Complex>(engine);
    if (share.selects_next()) check_shapes<ComplexFloat>(engine);
    check_random<double>(300, 20, Layout::column_major, 1, engine);
  }

  TEST_CASE("the kernels for GPUs: a launch adds up the sums of many groups") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    QrRunner<double> run(64 * 257 - 5, 3, Layout::column_major, 1, engine);
    RandomStream random(6);
    run.a.fill(random);
    run.factor();
    CHECK(run.ratio() < qr_threshold);
    const QrReflectors<double> expected = verification::reference_factors(run.a.sent()), found = run.factors();
    CHECK(largest_difference(found.vectors, expected.vectors) < 1e-10);
    QrRunner<ComplexFloat> batch(64 * 300, 2, Layout::row_major, 2, engine);
    batch.a.fill(random);
    batch.factor();
    for (std::uint64_t x = 0; x < 2; ++x) CHECK(batch.ratio(x) < qr_threshold);
  }

  TEST_CASE("several panels") {
    for (const Layout layout : qr_layouts) {
      check_random<double>(200, 180, layout);
      check_random<float>(150, 300, layout);
    }
  }

  TEST_CASE("R, the vectors and tau are those of LAPACK") {
    for (const DeviceType kernels : kernel_types()) {
      const Engine engine = engine_with_kernels_for(kernels, 64);
      check_form<float>(engine);
      check_form<double>(engine);
      check_form<ComplexFloat>(engine);
      check_form<Complex>(engine);
    }
  }

  TEST_CASE("columns that are 0 below the diagonal have no reflector, unless the diagonal is not real") {
    for (const DeviceType kernels : kernel_types()) {
      const Engine engine = engine_with_kernels_for(kernels, 64);
      for (const std::uint64_t count : {std::uint64_t{1}, small_count}) {
        QrRunner<Complex> run(5, 4, Layout::row_major, count, engine);
        run.a.fill([](std::uint64_t i, std::uint64_t j, std::uint64_t) {
          return i > j    ? Complex(0)
                 : i < j  ? Complex(1, 2)
                 : j == 1 ? Complex(3, 4)
                 : j == 2 ? Complex(0)
                          : Complex(-2);
        });
        run.factor();
        const QrReflectors<Complex> factors = run.factors(count - 1);
        CHECK(factors.tau[0] == std::complex<long double>(0));
        CHECK(std::abs(factors.tau[1] - std::complex<long double>(1.6L, 0.8L)) < 1e-15L);
        CHECK(factors.tau[2] == std::complex<long double>(0));
        CHECK(factors.vectors(0, 0) == std::complex<long double>(-2));
        CHECK(std::abs(factors.vectors(1, 1) + std::complex<long double>(5)) < 1e-14L);
        CHECK(run.ratio(count - 1) < qr_threshold);
      }
    }
  }

  TEST_CASE("columns of all sizes: norms neither overflow nor underflow") {
    for (const DeviceType kernels : kernel_types()) {
      const Engine engine = engine_with_kernels_for(kernels, 64);
      check_scaled_columns<float>(engine, 50, 1);
      check_scaled_columns<float>(engine, 29, small_count);
      check_scaled_columns<double>(engine, 50, 1);
      check_scaled_columns<double>(engine, 29, small_count);
      check_scaled_columns<ComplexFloat>(engine, 50, 1);
      check_scaled_columns<ComplexFloat>(engine, 29, small_count);
      check_scaled_columns<Complex>(engine, 50, 1);
      check_scaled_columns<Complex>(engine, 29, small_count);
    }
  }

  TEST_CASE("large elements of equal sign: sums of products do not overflow") {
    for (const DeviceType kernels : kernel_types()) {
      const Engine engine = engine_with_kernels_for(kernels, 64);
      check_large_elements<float>(engine);
      check_large_elements<double>(engine);
      check_large_elements<ComplexFloat>(engine);
      check_large_elements<Complex>(engine);
    }
  }

  TEST_CASE("an infinity in the row of a column without a reflector stays there") {
    for (const DeviceType kernels : kernel_types())
      for (const auto& [rows, count] : {std::pair{70U, std::uint64_t{1}}, {40U, 1U}, {21U, small_count}}) {
        const Engine engine = engine_with_kernels_for(kernels, 64);
        QrRunner<float> run(rows, 4, Layout::row_major, count, engine);
        const std::uint64_t last = count - 1;
        RandomStream random(8);
        run.a.fill(random);
        for (std::uint64_t i = 1; i < rows; ++i) run.a.at(i, 0, last) = 0;
        for (std::uint64_t i = 2; i < rows; ++i) run.a.at(i, 1, last) = 0;
        run.a.at(0, 2, last) = std::numeric_limits<float>::infinity();
        run.a.at(1, 3, last) = -std::numeric_limits<float>::infinity();
        run.factor();
        CHECK(run.factors(last).tau[0] == 0);
        CHECK(run.factors(last).tau[1] == 0);
        CHECK(run.a.result_at(0, 2, last) == std::numeric_limits<float>::infinity());
        CHECK(run.a.result_at(0, 3, last) == run.a.at(0, 3, last));
        CHECK(run.a.result_at(1, 2, last) == run.a.at(1, 2, last));
        CHECK(run.a.result_at(1, 3, last) == -std::numeric_limits<float>::infinity());
        for (std::uint64_t i = 2; i < rows; ++i)
          for (std::uint64_t j = 0; j < 4; ++j) CHECK(std::isfinite(run.a.result_at(i, j, last)));
      }
  }

  TEST_CASE("subnormal columns, and elements that are much smaller than others of their column") {
    for (const DeviceType kernels : kernel_types()) {
      for (const std::uint64_t count : {std::uint64_t{1}, small_count}) {
        const Engine engine = engine_with_kernels_for(kernels, 64);
        QrRunner<double> run(3, 2, Layout::column_major, count, engine);
        const double elements[3][2] = {{0x3p-1074, 1}, {0x4p-1074, 0x1p-600}, {0, 0x1p-700}};
        run.a.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) { return elements[i][j]; });
        run.factor();
        CHECK(run.a.result_at(0, 0, count - 1) == -0x5p-1074);
        CHECK(run.orthogonality(count - 1) < qr_threshold);
        CHECK(std::abs(run.a.result_at(0, 1, count - 1)) < 1);
        // Rows 1 and 2 of a column whose first element is 1: the rest keeps its relative accuracy.
        QrRunner<double> graded(3, 2, Layout::row_major, count, engine);
        const double others[3][2] = {{1, 1}, {0, 0x3p-600}, {0, 0x4p-600}};
        graded.a.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) { return others[i][j]; });
        graded.factor();
        CHECK(graded.a.result_at(0, 1, count - 1) == 1);
        CHECK(graded.a.result_at(1, 1, count - 1) == doctest::Approx(-0x5p-600).epsilon(1e-14));
        CHECK(static_cast<double>(graded.factors(count - 1).tau[1]) == doctest::Approx(1.6));
        CHECK(graded.a.result_at(2, 1, count - 1) == doctest::Approx(0.5));
        // Squares that underflow are not zeros: there is a reflector.
        QrRunner<double> faint(3, 1, Layout::row_major, count, engine);
        faint.a.fill([](std::uint64_t i, std::uint64_t, std::uint64_t) { return i == 0 ? 1 : i == 1 ? 0x4p-600 : 0; });
        faint.factor();
        CHECK(faint.a.result_at(0, 0, count - 1) == -1);
        CHECK(faint.a.result_at(1, 0, count - 1) == 0x2p-600);
        CHECK(faint.factors(count - 1).tau[0] == 2);
      }
    }
  }

  TEST_CASE("NaN propagates, is no error, and leaves the other matrices of a batch alone") {
    for (const DeviceType kernels : kernel_types())
      for (const auto& [rows, count] : {std::pair{40U, std::uint64_t{3}}, {32U, small_count}}) {
        const Engine engine = engine_with_kernels_for(kernels, 64);
        QrRunner<double> run(rows, rows - 4, Layout::row_major, count, engine);
        RandomStream random(5);
        run.a.fill(random);
        run.a.at(9, 3, 0) = std::numeric_limits<double>::quiet_NaN();
        run.a.at(rows - 1, 0, 2) = std::numeric_limits<double>::quiet_NaN();
        run.factor();
        CHECK(std::isfinite(run.a.result_at(2, 2, 0)));
        CHECK(std::isnan(run.a.result_at(3, 3, 0)));
        CHECK(std::isnan(run.a.result_at(rows - 5, rows - 5, 0)));
        CHECK(run.ratio(1) < qr_threshold);
        CHECK(std::isnan(run.a.result_at(0, 0, 2)));
        CHECK(std::isnan(static_cast<double>(run.factors(2).tau[0])));
      }
  }

  TEST_CASE("a huge batch of small matrices is one launch without workspace") {
    const GeqrfPlan plan(shared_engine(),
                         {.type = DataType::f64, .m = 8, .n = 8, .batch = {.count = 1000, .stride_a = 64}});
    CHECK(plan.workspace_bytes() == 0);
    check_random<double>(8, 8, Layout::row_major, 200);
    check_random<float>(4, 4, Layout::column_major, 300);
    check_random<ComplexFloat>(32, 32, Layout::row_major, 20);
  }

  TEST_CASE("the kernels for GPUs: several small matrices per work-group") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    for (const DataType type : {DataType::f32, DataType::c128}) {
      if (type == DataType::c128 && !engine.profile().fp64) continue;
      const GeqrfPlan plan(engine, {.type = type, .m = 32, .n = 31, .batch = {.count = 1000, .stride_a = 1024}});
      CHECK(plan.workspace_bytes() == 0);
      CHECK(plan.explanation().reason.find("qr/factor_small.cl") != std::string::npos);
    }
    RandomStream random(32);
    DailyShare share(3);
    for (int turn = 0; turn < 36; ++turn) {
      const std::uint64_t m = 1 + random.below(32), n = turn % 3 == 0 ? 1 + random.below(32) : m;
      const std::uint64_t count = 32 + random.below(20);
      const Layout layout = qr_layouts[turn % 2];
      if (!share.selects_next()) continue;
      check_random<float>(m, n, layout, count, engine);
      if (turn % 4 == 0) check_random<ComplexFloat>(m, n, layout, count, engine);
      if (turn % 2 == 0) check_random<double>(m, n, layout, count, engine);
      if (turn % 4 == 1) check_random<Complex>(m, n, layout, count, engine);
    }
    QrRunner<float> many(3, 3, Layout::row_major, 100001, engine);
    many.a.fill(random);
    many.factor();
    for (const std::uint64_t x : {0U, 1U, 77777U, 100000U}) CHECK(many.ratio(x) < qr_threshold);
  }
}

}  // namespace tilewright::test
