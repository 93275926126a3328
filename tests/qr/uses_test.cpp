// ormqr and orgqr: products with Q on both sides, columns of Q, and what must not be read.
#include <complex>
#include <limits>
#include <type_traits>

#include "qr/qr_runner.hpp"
#include "support/expect_error.hpp"

namespace tilewright::test {
namespace {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;
using verification::QrMatrix, verification::RandomStream;

// Reflectors of a batch of random matrices of `order` rows, for `k` of which R is poisoned.
template <class T>
struct Reflectors {
  Reflectors(const Engine& of_engine, std::uint64_t order, std::uint64_t k, Layout layout, std::uint64_t count)
      : engine(of_engine), factored(order, k, layout, count, engine), a(engine, layout, order, k, count) {
    RandomStream random(order + 100 * k);
    factored.a.fill(random);
    factored.factor();
    const auto poison = verification::poison_value<T>();
    a.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
      return i > j ? factored.a.result_at(i, j, x) : poison;
    });
    tau.assign(count, {});
    for (std::uint64_t x = 0; x < count; ++x) tau[x] = factored.factors(x).tau;
  }

  QrReflectors<T> of(std::uint64_t x) const {
    QrReflectors<T> q{factored.a.result(x), tau[x]};
    return q;
  }

  const Engine& engine;
  QrRunner<T> factored;
  QrBatch<T> a;
  std::vector<std::vector<verification::WideNumber<T>>> tau;
};

template <class T>
void check_product(const Engine& engine, Side side, Transpose trans, Layout layout, std::uint64_t m, std::uint64_t n,
                   std::uint64_t k, std::uint64_t count = 1) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(static_cast<int>(side));
  CAPTURE(static_cast<int>(trans));
  CAPTURE(static_cast<int>(layout));
  const std::uint64_t order = side == Side::left ? m : n;
  Reflectors<T> q(engine, order, k, layout, count);
  QrBatch<T> c(engine, layout, m, n, count, 2);
  RandomStream random(m);
  c.fill(random);
  const cl::CommandQueue queue = make_queue();
  q.a.memory().upload(queue);
  c.memory().upload(queue);
  const OrmqrProblem problem{
      .type = detail::HostType<T>::type,
      .layout = layout,
      .side = side,
      .trans = trans,
      .m = m,
      .n = n,
      .k = k,
      .lda = q.a.leading(),
      .ldc = c.leading(),
      .batch = {
          .count = count, .stride_a = q.a.stride(), .stride_c = c.stride(), .stride_tau = q.factored.tau.stride()}};
  ormqr(engine, queue(), problem, {.a = q.a.ref(), .tau = q.factored.tau.ref(), .c = c.ref()}, {}, qr_products).wait();
  count_cases();
  q.a.download(queue, false);
  c.download(queue, true);
  for (std::uint64_t x = 0; x < count; ++x) {
    const bool is_adjoint = trans != Transpose::no;
    const QrMatrix<T> before = c.sent(x);
    const QrMatrix<T> expected = side == Side::left
                                     ? multiplied_by_q(q.of(x), is_adjoint, before)
                                     : adjoint_of(multiplied_by_q(q.of(x), !is_adjoint, adjoint_of(before)));
    CHECK(difference_ratio(c.result(x), expected, order) < qr_threshold);
  }
}

template <class T>
void check_products(const Engine& engine) {
  const Transpose adjoint = detail::is_complex_host_type<T> ? Transpose::conjugate_transpose : Transpose::yes;
  for (const Layout layout : qr_layouts)
    for (const Transpose trans : {Transpose::no, adjoint}) {
      check_product<T>(engine, Side::left, trans, layout, 40, 7, 30);
      check_product<T>(engine, Side::right, trans, layout, 7, 40, 30);
    }
  check_product<T>(engine, Side::left, adjoint, Layout::row_major, 9, 5, 9, 4);
  check_product<T>(engine, Side::right, adjoint, Layout::column_major, 5, 12, 3, 3);
}

template <class T>
void check_columns(const Engine& engine, Layout layout, std::uint64_t m, std::uint64_t n, std::uint64_t k,
                   std::uint64_t count = 1) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(static_cast<int>(layout));
  Reflectors<T> q(engine, m, k, layout, count);
  QrBatch<T> a(engine, layout, m, n, count);
  const auto poison = verification::poison_value<T>();
  a.fill([&](std::uint64_t i, std::uint64_t j, std::uint64_t x) {
    return j < k && i > j ? q.factored.a.result_at(i, j, x) : poison;
  });
  const cl::CommandQueue queue = make_queue();
  a.memory().upload(queue);
  const OrgqrProblem problem{.type = detail::HostType<T>::type,
                             .layout = layout,
                             .m = m,
                             .n = n,
                             .k = k,
                             .lda = a.leading(),
                             .batch = {.count = count, .stride_a = a.stride(), .stride_tau = q.factored.tau.stride()}};
  orgqr(engine, queue(), problem, {.a = a.ref(), .tau = q.factored.tau.ref()}, {}, qr_products).wait();
  count_cases();
  a.download(queue, true);
  for (std::uint64_t x = 0; x < count; ++x) {
    CHECK(orthogonality_ratio(a.result(x)) < qr_threshold);
    CHECK(difference_ratio(a.result(x), multiplied_by_q(q.of(x), false, verification::identity_of<T>(m, n)), m) <
          qr_threshold);
  }
}

template <class T>
void check_all_columns(const Engine& engine) {
  for (const Layout layout : qr_layouts) {
    check_columns<T>(engine, layout, 40, 30, 30);
    check_columns<T>(engine, layout, 20, 20, 7);
    check_columns<T>(engine, layout, 9, 4, 4, 5);
  }
}

}  // namespace

TEST_SUITE("ormqr and orgqr") {
  TEST_CASE("products with Q, for all sides, transposes, layouts and types") {
    for (const DeviceType kernels : kernel_types()) {
      const Engine engine = engine_with_kernels_for(kernels, 64);
      check_products<float>(engine);
      check_products<double>(engine);
      check_products<ComplexFloat>(engine);
      check_products<Complex>(engine);
    }
  }

  TEST_CASE("products with several blocks of reflectors") {
    for (const Layout layout : qr_layouts)
      for (const Transpose trans : {Transpose::no, Transpose::yes}) {
        check_product<double>(shared_engine(), Side::left, trans, layout, 150, 20, 140);
        check_product<double>(shared_engine(), Side::right, trans, layout, 20, 150, 140);
      }
  }

  TEST_CASE("products of a batch that share one Q") {
    QrRunner<double> run(20, 20, Layout::row_major);
    RandomStream random(3);
    run.a.fill(random);
    run.factor();
    QrBatch<double> c(shared_engine(), Layout::row_major, 20, 4, 3);
    c.fill(random);
    c.memory().upload(run.queue);
    const OrmqrProblem problem{.type = DataType::f64,
                               .m = 20,
                               .n = 4,
                               .k = 20,
                               .lda = run.a.leading(),
                               .ldc = c.leading(),
                               .batch = {.count = 3, .stride_c = c.stride()}};
    ormqr(shared_engine(), run.queue(), problem, {.a = run.a.ref(), .tau = run.tau.ref(), .c = c.ref()}, {},
          qr_products)
        .wait();
    c.download(run.queue, true);
    for (std::uint64_t x = 0; x < 3; ++x)
      CHECK(difference_ratio(c.result(x), multiplied_by_q(run.factors(), false, c.sent(x)), 20) < qr_threshold);
    count_cases();
  }

  TEST_CASE("columns of Q, for all layouts and types") {
    for (const DeviceType kernels : kernel_types()) {
      const Engine engine = engine_with_kernels_for(kernels, 64);
      check_all_columns<float>(engine);
      check_all_columns<double>(engine);
      check_all_columns<ComplexFloat>(engine);
      check_all_columns<Complex>(engine);
    }
    check_columns<double>(shared_engine(), Layout::row_major, 170, 150, 140);
    check_columns<double>(shared_engine(), Layout::column_major, 170, 150, 140);
  }

  TEST_CASE("without reflectors Q is the identity") {
    const cl::CommandQueue queue = make_queue();
    QrBatch<float> a(shared_engine(), Layout::row_major, 7, 5, 1);
    a.memory().upload(queue);  // poison
    orgqr(shared_engine(), queue(), {.m = 7, .n = 5, .lda = a.leading()}, {.a = a.ref()}).wait();
    a.download(queue, true);
    CHECK(orthogonality_ratio(a.result()) == 0);
    QrBatch<float> c(shared_engine(), Layout::row_major, 3, 3, 1);
    c.memory().upload(queue);
    ormqr(shared_engine(), queue(), {.m = 3, .n = 3, .ldc = c.leading()}, {.c = c.ref()}, {}, qr_products).wait();
    c.download(queue, false);
    count_cases();
  }

  TEST_CASE("sizes and transposes that do not fit") {
    const Engine& engine = shared_engine();
    const auto refused = [](const char* part, auto plan) {
      CHECK(mentions(expect_error(ErrorCode::invalid_configuration, plan), part));
    };
    refused("k is 6", [&] { OrmqrPlan(engine, {.m = 5, .n = 9, .k = 6}); });
    refused("k is 6", [&] { OrmqrPlan(engine, {.side = Side::right, .m = 9, .n = 5, .k = 6}); });
    refused("n is 6", [&] { OrgqrPlan(engine, {.m = 5, .n = 6, .k = 2}); });
    refused("k is 4", [&] { OrgqrPlan(engine, {.m = 5, .n = 3, .k = 4}); });
    refused("conjugate transpose",
            [&] { OrmqrPlan(engine, {.type = DataType::c64, .trans = Transpose::yes, .m = 5, .n = 9, .k = 3}); });
    refused("conjugate transpose",
            [&] { GelsPlan(engine, {.type = DataType::c64, .trans = Transpose::yes, .m = 5, .n = 3, .nrhs = 1}); });
    count_cases();
  }
}

}  // namespace tilewright::test
