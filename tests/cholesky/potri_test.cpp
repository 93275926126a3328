// Inverses from Cholesky factors: every form, orders around multiples of the block, and batches. The residual keeps
// LAPACK's threshold, and nothing outside the triangle is read or written.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/extreme_values.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/cholesky_inverse.hpp"
#include "verification/cholesky/cholesky_residuals.hpp"
#include "verification/cholesky/definite_matrix.hpp"
#include "verification/common/guarded_matrix.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

const Choice plain_products{"naive", {}};

using C64 = std::complex<float>;
using C128 = std::complex<double>;

// Returns the place of element (i, j) of L, i >= j, or of its transpose in the other triangle.
std::uint64_t place(const PotriProblem& p, std::uint64_t i, std::uint64_t j) {
  const bool by_rows = (p.layout == Layout::row_major) == (p.uplo == Uplo::lower);
  return by_rows ? i * p.lda + j : j * p.lda + i;
}

template <class T>
void check_potri(const Engine& engine, PotriProblem p, const Choice& products = plain_products) {
  p.type = detail::HostType<T>::type;
  const StoredShape shape{p.n, p.n, p.n + 3};
  const std::uint64_t count = p.batch.count;
  p.lda = shape.leading;
  if (count > 1) p.batch.stride_a = shape.span() + 2;
  CAPTURE(p.n);
  CAPTURE(count);
  CAPTURE((p.layout == Layout::row_major));
  CAPTURE((p.uplo == Uplo::lower));
  const cl::CommandQueue queue = make_queue();
  GuardedMatrix<T> a(engine, shape, 5, Memory::banded, count, p.batch.stride_a);
  a.poison();
  RandomStream random(7 * p.n + count);
  for (std::uint64_t x = 0; x < count; ++x) {
    const auto l = draw_cholesky<T>(random, TriangleKind::scaled, p.n, false, min_exponent<T>());
    for (std::uint64_t i = 0; i < p.n; ++i)
      for (std::uint64_t j = 0; j <= i; ++j) a.data(x)[place(p, i, j)] = l(i, j);
  }
  a.upload(queue);
  potri(engine, queue(), p, {.a = a.ref()}, {}, products).wait();
  count_cases();
  count_kernel_of("potri");
  a.download(queue);
  CHECK(a.damage(true).empty());
  for (std::uint64_t x = 0; x < count; ++x) {
    const auto view = [&](const T* data) { return lower_view(data, p.layout, p.uplo, p.n, p.lda); };
    CHECK(wrong_cholesky_inverse(view(a.data(x)), view(a.result(x)), p.n) == "");
    bool is_kept = true;  // whether the other triangle has not changed
    for (std::uint64_t i = 0; i < p.n; ++i)
      for (std::uint64_t j = i + 1; j < p.n; ++j)
        is_kept = is_kept && std::isnan(std::real(a.result(x)[place(p, i, j)]));
    CHECK(is_kept);
  }
}

template <class Function>
void for_all_forms(PotriProblem p, const Function& function) {
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      p.layout = layout;
      p.uplo = uplo;
      function(p);
    }
}

}  // namespace

TEST_SUITE("potri") {
  TEST_CASE("every form, with orders around multiples of the block") {
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      const std::vector<std::uint64_t> orders = test_level() == TestLevel::quick
                                                    ? std::vector<std::uint64_t>{5, 16, 129}
                                                    : std::vector<std::uint64_t>{1, 5, 16, 33, 129};
      for (const std::uint64_t n : orders)
        for_all_forms({.n = n}, [&](const PotriProblem& p) { check_potri<float>(engine, p); });
      for (const std::uint64_t n : {7U, 140U})
        for_all_forms({.n = n}, [&](const PotriProblem& p) { check_potri<C64>(engine, p); });
      if (!engine.profile().fp64) continue;
      check_potri<double>(engine, {.uplo = Uplo::upper, .n = 150});
      check_potri<C128>(engine, {.uplo = Uplo::upper, .n = 70});
    }
  }

  TEST_CASE("several levels of blocks, and the default choice of products") {
    const Engine engine = engine_with_kernels_for(DeviceType::gpu, 64);  // small blocks
    for_all_forms({.n = 170}, [&](const PotriProblem& p) { check_potri<float>(engine, p); });
    for_all_forms({.n = 100, .batch = {.count = 2}}, [&](const PotriProblem& p) { check_potri<C64>(engine, p); });
    check_potri<float>(shared_engine(), {.n = 260}, {});
  }

  TEST_CASE("batches") {
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      for (const std::uint64_t n : {3U, 16U, 140U})
        for_all_forms({.n = n, .batch = {.count = 3}}, [&](const PotriProblem& p) { check_potri<float>(engine, p); });
      check_potri<C64>(engine, {.n = 20, .batch = {.count = 3}});
    }
  }

  TEST_CASE("problems without elements, and wrong problems") {
    const Engine& engine = shared_engine();
    const cl::CommandQueue queue = make_queue();
    potri(engine, queue(), {.n = 0}, {}).wait();
    potri(engine, queue(), {.n = 4, .batch = {.count = 0}}, {}).wait();
    CHECK_NOTHROW(PotriPlan(engine, {.batch = {.count = std::uint64_t{1} << 62}}));
    expect_error(ErrorCode::unsupported_type, [&] { PotriPlan(engine, {.type = DataType::f16, .n = 4}); });
    expect_error(ErrorCode::unsupported_type,
                 [&] { PotriPlan(engine, {.type = DataType::f16, .n = 4, .batch = {.stride_info = 1}}); });
    expect_error(ErrorCode::invalid_leading_dimension, OperandName::a, [&] { PotriPlan(engine, {.n = 4, .lda = 3}); });
    expect_error(ErrorCode::invalid_batch, [&] { PotriPlan(engine, {.n = 4, .batch = {.stride_info = 1}}); });
    expect_error(ErrorCode::overlapping_operands, OperandName::a,
                 [&] { PotriPlan(engine, {.n = 4, .batch = {.count = 2, .stride_a = 3}}); });
    const PotriPlan plan(engine, {.n = 300}, plain_products);
    CHECK(plan.problem().n == 300);
    CHECK(plan.explanation().problem == "potri f32 300");
    CHECK(plan.workspace_bytes() > 0);
  }
}

TEST_SUITE("potri") {
  TEST_CASE("promises of aligned offsets") {
    constexpr std::uint64_t n = 150;
    const cl::CommandQueue queue = make_queue();
    for (const std::uint64_t promise : {1U, 16U, 1024U}) {
      const PotriPlan plan(shared_engine(), {.uplo = Uplo::upper, .n = n, .offset_alignment = promise}, plain_products);
      // The factor is the identity, and so is its inverse.
      std::vector<float> values(promise + n * n, 0), expected;
      for (std::uint64_t i = 0; i < n; ++i) values[promise + i * (n + 1)] = 1;
      expected = values;
      const cl::Buffer a(shared_context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * values.size(), values.data());
      plan.enqueue(queue(), {.a = {a(), promise}}).wait();
      queue.enqueueReadBuffer(a, CL_TRUE, 0, 4 * values.size(), values.data());
      CHECK(values == expected);
      if (promise == 1) continue;
      expect_error(ErrorCode::invalid_offset, OperandName::a, [&] { plan.enqueue(queue(), {.a = {a(), 1}}); });
    }
  }
}

// Small cases for slow devices.
TEST_SUITE("every kernel") {
  TEST_CASE("potri") {
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      check_potri<float>(engine, {.n = 9});
      check_potri<C64>(engine, {.uplo = Uplo::upper, .n = 5});
    }
  }
}

}  // namespace tilewright::test
