// gels: solutions and residuals of all forms, batches, matrices without full rank, empty systems.
#include <cmath>
#include <complex>
#include <limits>

#include "lu/lu_runner.hpp"
#include "qr/qr_runner.hpp"
#include "support/daily_share.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;
using verification::QrMatrix, verification::RandomStream;

template <class T>
class GelsRunner {
 public:
  GelsRunner(std::uint64_t m, std::uint64_t n, std::uint64_t nrhs, Layout layout, Transpose trans = Transpose::no,
             std::uint64_t count = 1, const Engine& engine = shared_engine())
      : a(engine, layout, m, n, count),
        b(engine, layout, std::max(m, n), nrhs, count, 2),
        info_(count),
        engine_(engine),
        problem_{.type = detail::HostType<T>::type,
                 .layout = layout,
                 .trans = trans,
                 .m = m,
                 .n = n,
                 .nrhs = nrhs,
                 .lda = a.leading(),
                 .ldb = b.leading(),
                 .batch = {.count = count, .stride_a = a.stride(), .stride_b = b.stride()}} {
    RandomStream random(m + 50 * n);
    a.fill(random);
    // Elements past B are not read.
    b.fill([&](std::uint64_t i, std::uint64_t, std::uint64_t) {
      const double real = random.symmetric();
      return i < equations() ? verification::with_imaginary<T>(real, [&] { return random.symmetric(); })
                             : verification::poison_value<T>();
    });
  }

  std::uint64_t equations() const { return problem_.trans == Transpose::no ? problem_.m : problem_.n; }
  std::uint64_t unknowns() const { return problem_.trans == Transpose::no ? problem_.n : problem_.m; }

  void solve() {
    a.memory().upload(queue);
    b.memory().upload(queue);
    gels(engine_, queue(), problem_, {.a = a.ref(), .b = b.ref(), .info = info_.ref()}, {}, qr_products).wait();
    count_cases();
    a.download(queue, problem_.m >= problem_.n);
    b.download(queue, true);
    info = info_.read(queue);
  }

  QrMatrix<T> matrix(std::uint64_t x = 0) const {
    return problem_.trans == Transpose::no ? a.sent(x) : adjoint_of(a.sent(x));
  }
  QrMatrix<T> right(std::uint64_t x = 0) const { return b.sent(x).first(equations(), problem_.nrhs); }
  QrMatrix<T> solution(std::uint64_t x = 0) const { return b.result(x).first(unknowns(), problem_.nrhs); }
  double ratio(std::uint64_t x = 0) const { return least_squares_ratio(matrix(x), solution(x), right(x)); }

  cl::CommandQueue queue = make_queue();
  QrBatch<T> a, b;
  std::vector<std::int64_t> info;

 private:
  GuardedIntegers info_;
  const Engine& engine_;
  GelsProblem problem_;
};

template <class T>
void check_system(std::uint64_t m, std::uint64_t n, Layout layout, Transpose trans, std::uint64_t count,
                  const Engine& engine) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(static_cast<int>(layout));
  CAPTURE(static_cast<int>(trans));
  GelsRunner<T> run(m, n, 3, layout, trans, count, engine);
  run.solve();
  for (std::uint64_t x = 0; x < count; ++x) {
    CHECK(run.info[x] == 0);
    CHECK(run.ratio(x) < qr_threshold);
  }
}

template <class T>
void check_systems(const Engine& engine) {
  const Transpose adjoint = detail::is_complex_host_type<T> ? Transpose::conjugate_transpose : Transpose::yes;
  for (const Layout layout : qr_layouts)
    for (const Transpose trans : {Transpose::no, adjoint}) {
      check_system<T>(40, 17, layout, trans, 1, engine);
      check_system<T>(17, 40, layout, trans, 1, engine);
      check_system<T>(6, 6, layout, trans, 3, engine);
      check_system<T>(3, 9, layout, trans, 2, engine);
    }
}

}  // namespace

TEST_SUITE("gels") {
  TEST_CASE("least squares and solutions of smallest norm, for all transposes, layouts and types") {
    check_systems<float>(shared_engine());
    check_systems<double>(shared_engine());
    check_systems<ComplexFloat>(shared_engine());
    check_systems<Complex>(shared_engine());
  }

  TEST_CASE("the kernels for GPUs solve systems, too") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);
    DailyShare share(2);
    if (share.selects_next()) check_systems<double>(engine);
    if (share.selects_next()) check_systems<ComplexFloat>(engine);
  }

  TEST_CASE("systems of several panels") {
    for (const Layout layout : qr_layouts)
      for (const Transpose trans : {Transpose::no, Transpose::yes}) {
        check_system<double>(180, 140, layout, trans, 1, shared_engine());
        check_system<double>(140, 180, layout, trans, 1, shared_engine());
      }
  }

  TEST_CASE("the rest of B has the norm of the residual, and A has the factors of geqrf") {
    GelsRunner<double> run(30, 12, 2, Layout::row_major);
    run.solve();
    const QrMatrix<double> residual = difference_of(run.right(), product_of(run.matrix(), run.solution()));
    for (std::uint64_t j = 0; j < 2; ++j) {
      long double expected = 0, found = 0;
      for (std::uint64_t i = 0; i < 30; ++i) expected += residual(i, j) * residual(i, j);
      for (std::uint64_t i = 12; i < 30; ++i)
        found += static_cast<long double>(run.b.result_at(i, j)) * static_cast<long double>(run.b.result_at(i, j));
      CHECK(std::abs(expected - found) < 1e-13L * expected);
    }
    QrRunner<double> factors(30, 12, Layout::row_major);
    factors.a.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t) { return run.a.at(i, j); });
    factors.factor();
    CHECK(norm_of(difference_of(factors.a.result(), run.a.result())) == 0);
  }

  TEST_CASE("a promise of offsets that are more aligned than the copy of A^H") {
    const cl::CommandQueue queue = make_queue();
    std::vector<float> x(12, 1);
    const cl::Buffer a(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, x.size() * 4, x.data()),
        b(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, x.size() * 4, x.data()),
        info(shared_context(), CL_MEM_READ_WRITE, 8);
    const GelsPlan plan(shared_engine(), {.m = 1, .n = 12, .nrhs = 1, .offset_alignment = 4096}, qr_products);
    plan.enqueue(queue(), {.a = {a()}, .b = {b()}, .info = {info()}}).wait();
    queue.enqueueReadBuffer(b, CL_TRUE, 0, x.size() * 4, x.data());
    for (const float element : x) CHECK(element == doctest::Approx(1.0 / 12));
    count_cases();
  }

  TEST_CASE("info is the first zero on the diagonal of R") {
    for (const Layout layout : qr_layouts) {
      GelsRunner<double> run(9, 5, 1, layout, Transpose::no, 3);
      for (std::uint64_t i = 0; i < 9; ++i) {
        run.a.at(i, 3, 1) = 0;
        run.a.at(i, 0, 2) = 0;
        run.a.at(i, 4, 2) = 0;
      }
      run.solve();
      CHECK(run.info == std::vector<std::int64_t>{0, 4, 1});
      CHECK(run.ratio(0) < qr_threshold);
      GelsRunner<Complex> wide(4, 9, 1, layout);
      for (std::uint64_t j = 0; j < 9; ++j) wide.a.at(2, j) = 0;
      wide.solve();
      CHECK(wide.info == std::vector<std::int64_t>{3});
    }
  }

  TEST_CASE("NaN in one system leaves the others alone") {
    GelsRunner<float> run(12, 7, 2, Layout::column_major, Transpose::no, 3);
    run.a.at(5, 2, 1) = std::numeric_limits<float>::quiet_NaN();
    run.solve();
    CHECK(run.info == std::vector<std::int64_t>{0, 0, 0});
    CHECK(std::isnan(run.b.result_at(0, 0, 1)));
    CHECK(run.ratio(0) < qr_threshold);
    CHECK(run.ratio(2) < qr_threshold);
  }

  TEST_CASE("B becomes 0 if A is empty, and nothing but info is written without right-hand sides") {
    for (const Transpose trans : {Transpose::no, Transpose::yes})
      for (const auto& [m, n, nrhs] : {std::tuple{0U, 4U, 2U}, {4U, 0U, 2U}, {3U, 2U, 0U}, {0U, 0U, 3U}}) {
        GelsRunner<float> run(m, n, nrhs, Layout::row_major, trans, 2);
        run.solve();
        CHECK(run.info == std::vector<std::int64_t>{0, 0});
        CHECK(norm_of(run.b.result(1)) == 0);
      }
  }
}

}  // namespace tilewright::test
