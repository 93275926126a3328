// Triangular systems: every form, orders around multiples of the block, well- and ill-conditioned matrices, and
// batches. X keeps the error bound of substitution element by element, and nothing else is read or written.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <initializer_list>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "tilewright/triangular.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/small_numbers.hpp"
#include "verification/triangular/triangular_residuals.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

const Choice plainest{"naive", {}};

enum class Condition { good, bad };

struct TrsmCase {
  std::complex<double> alpha = -1.5;
  std::uint64_t offset = 3;
  Condition condition = Condition::good;
  Choice products = plainest;
};

struct Trsm {
  TrsmProblem problem;

  bool is_left() const { return problem.side == Side::left; }
  std::uint64_t order() const { return is_left() ? problem.m : problem.n; }
  std::uint64_t nrhs() const { return is_left() ? problem.n : problem.m; }
  // Returns the place of element (i, j) of a stored matrix.
  std::uint64_t place(std::uint64_t ld, std::uint64_t i, std::uint64_t j) const {
    return problem.layout == Layout::row_major ? i * ld + j : j * ld + i;
  }
  bool is_stored(std::uint64_t i, std::uint64_t j) const {
    if (i == j) return problem.diag == Diag::non_unit;
    return (problem.uplo == Uplo::lower) == (i > j);
  }
};

// Returns a number of size 1: for complex elements 0.6 + 0.8 i or i for some i.
template <class T>
T turned(std::uint64_t i) {
  if constexpr (detail::is_complex_host_type<T>)
    return i % 3 == 0 ? T(0, 1) : i % 3 == 1 ? T(0.6F, 0.8F) : T(1);
  else
    return T{1};
}

// Returns alpha as an element.
template <class T>
T element_of(const std::complex<double>& value) {
  if constexpr (detail::is_complex_host_type<T>)
    return T(value);
  else
    return static_cast<T>(value.real());
}

template <class T>
void fill(const Trsm& call, GuardedMatrix<T>& a, GuardedMatrix<T>& b, Condition condition) {
  const std::uint64_t k = call.order(), m = call.problem.m, n = call.problem.n;
  a.poison();
  // good: off-diagonal elements are small. bad: they are as large as the diagonal, some elements of which are small.
  const double scale = condition == Condition::good ? 1 / static_cast<double>(k + 1) : 0.5;
  for (std::uint64_t x = 0; x < a.count(); ++x) {
    const auto values = random_data<T>(k * k, DataKind::uniform, 10 + x);
    using Real = detail::Part<T>;
    for (std::uint64_t i = 0; i < k; ++i)
      for (std::uint64_t j = 0; j < k; ++j) {
        if (!call.is_stored(i, j)) continue;
        const T value = values[i * k + j];
        const Real size = static_cast<Real>(i % 7 == 3 ? 1e-3 : 1) * (std::real(value) > 0 ? 1 : -1);
        const T diagonal = condition == Condition::good ? Real{2} + value : T{size} * turned<T>(i);
        a.data(x)[call.place(call.problem.lda, i, j)] = i == j ? diagonal : static_cast<Real>(scale) * value;
      }
  }
  for (std::uint64_t x = 0; x < b.count(); ++x) {
    const auto values = random_data<T>(m * n, DataKind::uniform, 20 + x);
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j < n; ++j) b.data(x)[call.place(call.problem.ldb, i, j)] = values[i * n + j];
  }
}

template <class T>
void check_trsm(const Engine& engine, TrsmProblem p, const TrsmCase& test = {}) {
  p.type = detail::HostType<T>::type;
  Trsm call{p};
  const std::uint64_t k = call.order(), count = p.batch.count;
  const bool is_row_major = p.layout == Layout::row_major;
  const StoredShape a_shape{k, k, k + 2},
      b_shape{is_row_major ? p.m : p.n, is_row_major ? p.n : p.m, (is_row_major ? p.n : p.m) + 1};
  p.lda = a_shape.leading;
  p.ldb = b_shape.leading;
  if (count > 1) p.batch = {count, p.batch.stride_a == 0 ? 0 : a_shape.span() + 1, b_shape.span() + 2};
  call.problem = p;
  CAPTURE(p.m);
  CAPTURE(p.n);
  CAPTURE(is_row_major);
  CAPTURE(call.is_left());
  CAPTURE((p.uplo == Uplo::lower));
  CAPTURE((p.trans == Transpose::no));
  CAPTURE((p.diag == Diag::unit));
  const cl::CommandQueue queue = make_queue();
  GuardedMatrix<T> a(engine, a_shape, test.offset, Memory::exact, p.batch.stride_a == 0 ? 1 : count, p.batch.stride_a);
  GuardedMatrix<T> b(engine, b_shape, test.offset, Memory::banded, count, p.batch.stride_b);
  fill(call, a, b, test.condition);
  if (test.alpha == 0.0) b.poison();
  a.upload(queue);
  b.upload(queue);
  trsm(engine, queue(), p, {.alpha = test.alpha, .a = test.alpha == 0.0 ? MatrixRef{} : a.ref(), .b = b.ref()}, {},
       test.products)
      .wait();
  count_cases();
  count_kernel_of("trsm");
  a.download(queue);
  b.download(queue);
  CHECK(a.damage(false).empty());
  CHECK(b.damage(true).empty());
  for (std::uint64_t x = 0; x < count; ++x) {
    if (test.alpha != 0.0) {
      CHECK(wrong_solution(triangular_system(p, element_of<T>(test.alpha), a.data(x), b.data(x), b.result(x)),
                           SmallNumbers<T>(engine.device()).error()) == "");
      continue;
    }
    bool zero = true;
    for (std::uint64_t i = 0; i < p.m; ++i)
      for (std::uint64_t j = 0; j < p.n; ++j) zero = zero && b.result(x)[call.place(p.ldb, i, j)] == T{0};
    CHECK(zero);
  }
}

// Checks trsv with the layout, uplo, trans and diag of a trsm. The vector is a matrix with one column.
template <class T>
void check_trsv(const TrsmProblem& form, std::uint64_t n, std::int64_t incx) {
  const Engine& engine = shared_engine();
  const std::uint64_t count = form.batch.count, distance = static_cast<std::uint64_t>(std::abs(incx));
  Trsm call{form};
  TrsmProblem& p = call.problem;
  p.m = n;
  p.n = 1;
  p.lda = n + 2;
  p.ldb = p.layout == Layout::row_major ? 1 : n;
  const StoredShape a_shape{n, n, p.lda}, x_shape{n, 1, distance};
  const std::uint64_t stride_a = a_shape.span() + 1, stride_x = x_shape.span() + 3;
  CAPTURE(n);
  CAPTURE(incx);
  const cl::CommandQueue queue = make_queue();
  GuardedMatrix<T> a(engine, a_shape, 3, Memory::exact, count, stride_a);
  GuardedMatrix<T> x(engine, x_shape, 2, Memory::banded, count, stride_x);
  GuardedMatrix<T> b(engine, {1, n, n}, 0, Memory::exact, count, n);  // the values of x
  fill(call, a, b, Condition::good);
  const auto at = [&](std::uint64_t i) { return (incx > 0 ? i : n - 1 - i) * distance; };
  for (std::uint64_t system = 0; system < count; ++system)
    for (std::uint64_t i = 0; i < n; ++i) x.data(system)[at(i)] = b.data(system)[i];
  a.upload(queue);
  x.upload(queue);
  trsv(engine, queue(),
       {.type = detail::HostType<T>::type,
        .layout = p.layout,
        .uplo = p.uplo,
        .trans = p.trans,
        .diag = p.diag,
        .n = n,
        .lda = p.lda,
        .incx = incx,
        .batch = {.count = count, .stride_a = stride_a, .stride_x = stride_x}},
       {.a = a.ref(), .x = x.ref()}, {}, plainest)
      .wait();
  count_cases();
  x.download(queue);
  CHECK(x.damage(true).empty());
  for (std::uint64_t system = 0; system < count; ++system) {
    std::vector<T> found(n);
    for (std::uint64_t i = 0; i < n; ++i) found[i] = x.result(system)[at(i)];
    CHECK(wrong_solution(triangular_system(p, T{1}, a.data(system), b.data(system), found.data()),
                         SmallNumbers<T>(engine.device()).error()) == "");
  }
}

bool has_doubles() { return shared_engine().profile().fp64; }

constexpr std::initializer_list<Transpose> real_forms{Transpose::no, Transpose::yes},
    complex_forms{Transpose::no, Transpose::yes, Transpose::conjugate_transpose};

// Calls function(problem) for every form of a problem.
template <class Function>
void for_all_forms(TrsmProblem p, const Function& function, std::initializer_list<Transpose> forms = real_forms) {
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const Transpose trans : forms)
          for (const Diag diag : {Diag::non_unit, Diag::unit}) {
            p.layout = layout;
            p.side = side;
            p.uplo = uplo;
            p.trans = trans;
            p.diag = diag;
            function(p);
          }
}

}  // namespace

TEST_SUITE("trsm") {
  TEST_CASE("every form, in batches") {
    for (const Engine& engine : kernel_engines()) {
      for_all_forms({.m = 9, .n = 21}, [&](const TrsmProblem& p) { check_trsm<float>(engine, p); });
      for_all_forms({.m = 18, .n = 5, .batch = {.count = 3, .stride_a = 1}},
                    [&](const TrsmProblem& p) { check_trsm<float>(engine, p); });
      if (has_doubles())
        for_all_forms({.m = 21, .n = 19, .batch = {.count = 2}},
                      [&](const TrsmProblem& p) { check_trsm<double>(engine, p); });
    }
  }

  TEST_CASE("every form of complex systems, in batches") {
    using C64 = std::complex<float>;
    using C128 = std::complex<double>;
    for (const Engine& engine : kernel_engines()) {
      for_all_forms(
          {.m = 18, .n = 5, .batch = {.count = 3, .stride_a = 1}},
          [&](const TrsmProblem& p) {
            check_trsm<C64>(engine, p, {.alpha = {0.5, -1}});
          },
          complex_forms);
      if (has_doubles())
        for_all_forms(
            {.m = 9, .n = 21}, [&](const TrsmProblem& p) { check_trsm<C128>(engine, p); }, complex_forms);
    }
  }

  TEST_CASE("several blocks of complex systems") {
    using C64 = std::complex<float>;
    using C128 = std::complex<double>;
    for (const Engine& engine : kernel_engines())
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper})
          for (const Transpose trans : complex_forms) {
            TrsmProblem p{.side = side, .uplo = uplo, .trans = trans, .m = 21, .n = 21};
            (side == Side::left ? p.m : p.n) = 150;
            check_trsm<C64>(engine, p, {.alpha = {0, 1}});
            (side == Side::left ? p.n : p.m) = 3;
            if (has_doubles()) check_trsm<C128>(engine, p, {.alpha = {-1, 0.5}});
          }
  }

  TEST_CASE("several blocks") {
    for (const Engine& engine : kernel_engines()) {
      for_all_forms({}, [&](TrsmProblem p) {
        (p.side == Side::left ? p.m : p.n) = p.trans == Transpose::no ? 300 : 257;
        if (p.diag == Diag::unit) p.batch = {.count = 2, .stride_a = p.uplo == Uplo::lower ? 1U : 0U};
        for (const std::uint64_t nrhs : {6U, 17U}) {
          (p.side == Side::left ? p.n : p.m) = nrhs;
          check_trsm<float>(engine, p);
        }
      });
      for (const std::uint64_t k : {1U, 16U, 63U, 65U, 127U, 128U, 129U})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
          check_trsm<float>(engine, {.uplo = uplo, .m = k, .n = 33});
          check_trsm<float>(engine, {.side = Side::right, .uplo = uplo, .m = 17, .n = k});
        }
    }
  }

  // On CPUs one launch solves up to order 2048 with up to 16 right-hand sides.
  TEST_CASE("few right-hand sides: every number of them, orders around multiples of vectors") {
    for_all_forms(
        {},
        [](TrsmProblem p) {
          const bool is_left = p.side == Side::left;
          std::uint64_t order = p.uplo == Uplo::lower ? 35 : 21;
          for (const std::uint64_t nrhs : {1U, 2U, 3U, 5U, 16U}) {
            (is_left ? p.m : p.n) = order++;
            (is_left ? p.n : p.m) = nrhs;
            check_trsm<std::complex<float>>(shared_engine(), p, {.alpha = {0.5, 1}});
            if (p.trans != Transpose::conjugate_transpose) check_trsm<float>(shared_engine(), p);
            if (!has_doubles()) continue;
            check_trsm<std::complex<double>>(shared_engine(), p);
            if (p.trans != Transpose::conjugate_transpose) check_trsm<double>(shared_engine(), p);
          }
        },
        complex_forms);
  }

  TEST_CASE("few right-hand sides: the largest orders of one launch, and the next") {
    for (const std::uint64_t order : {2048U, 2049U}) {
      check_trsm<float>(shared_engine(), {.uplo = Uplo::upper, .m = order, .n = 1});
      check_trsm<float>(shared_engine(), {.side = Side::right, .m = 5, .n = order});
    }
    if (has_doubles())
      check_trsm<std::complex<double>>(shared_engine(), {.trans = Transpose::conjugate_transpose, .m = 2048, .n = 2});
  }

  TEST_CASE("the bound holds for ill-conditioned matrices") {
    for (const Engine& engine : kernel_engines())
      for (const Side side : {Side::left, Side::right})
        for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
          TrsmProblem p{.side = side, .uplo = uplo, .m = 20, .n = 20};
          (side == Side::left ? p.m : p.n) = 40;
          check_trsm<float>(engine, p, {.condition = Condition::bad});
          (side == Side::left ? p.m : p.n) = 200;
          if (has_doubles()) check_trsm<double>(engine, p, {.condition = Condition::bad});
          (side == Side::left ? p.m : p.n) = 40;
          check_trsm<std::complex<float>>(engine, p, {.condition = Condition::bad});
          (side == Side::left ? p.n : p.m) = 3;
          check_trsm<std::complex<float>>(engine, p, {.condition = Condition::bad});
          check_trsm<float>(engine, p, {.condition = Condition::bad});
        }
  }

  TEST_CASE("alpha = 0 reads neither A nor B") {
    for_all_forms({.m = 5, .n = 70, .batch = {.count = 2}},
                  [&](const TrsmProblem& p) { check_trsm<float>(shared_engine(), p, {.alpha = 0}); });
    for (const std::uint64_t nrhs : {3U, 70U})
      check_trsm<std::complex<float>>(shared_engine(), {.m = 5, .n = nrhs}, {.alpha = 0});
  }

  TEST_CASE("trsv: every increment, in batches") {
    for (const std::int64_t incx : {1, 3, -1, -2})
      for (const std::uint64_t n : {1U, 30U, 200U})
        for (const std::uint64_t count : {1U, 2U})
          for_all_forms({.batch = {.count = count, .stride_a = 1}}, [&](const TrsmProblem& p) {
            if (p.side == Side::left && (n == 30 || p.diag == Diag::unit)) check_trsv<float>(p, n, incx);
          });
  }

  TEST_CASE("trsv: every form of complex systems") {
    for (const std::int64_t incx : {1, 2, -3})
      for (const std::uint64_t n : {1U, 40U})
        for_all_forms(
            {.batch = {.count = 2, .stride_a = 1}},
            [&](const TrsmProblem& p) {
              if (p.side == Side::left) check_trsv<std::complex<float>>(p, n, incx);
            },
            complex_forms);
    if (has_doubles())
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        check_trsv<std::complex<double>>({.layout = layout, .trans = Transpose::conjugate_transpose}, 150, 2);
  }

  TEST_CASE("the default choice of products") {
    check_trsm<std::complex<float>>(shared_engine(), {.m = 300, .n = 64}, {.products = {}});

    check_trsm<float>(shared_engine(), {.m = 400, .n = 64}, {.products = {}});
  }
}

// Small cases for slow devices.
TEST_SUITE("every kernel") {
  TEST_CASE("trsm") {
    for (const Engine& engine : kernel_engines())
      for (const std::uint64_t nrhs : {2U, 17U})  // other kernels solve for few right-hand sides
        check_trsm<float>(engine, {.uplo = nrhs == 2 ? Uplo::lower : Uplo::upper, .m = 70, .n = nrhs});
    check_trsm<float>(shared_engine(), {.m = 5, .n = 70}, {.alpha = 0});
    for (const Engine& engine : kernel_engines())
      check_trsm<std::complex<float>>(engine, {.trans = Transpose::conjugate_transpose, .m = 5, .n = 2});
  }
}

}  // namespace tilewright::test
