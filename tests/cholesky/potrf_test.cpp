// Cholesky's factorisation: every form, orders around multiples of the block, batches, and matrices that are nearly
// singular, badly scaled, or not positive definite.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "kernels/host_type.hpp"
#include "runtime/engine_state.hpp"
#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/cholesky.hpp"
#include "verification/cholesky/cholesky_residuals.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/common/small_numbers.hpp"

namespace tilewright::test {
namespace {

using namespace verification;

const Choice plainest{"naive", {}};

struct PotrfCase {
  double scale = 1;
  double shift = 0.5;       ///< added to the diagonal; smaller is closer to singular
  std::uint64_t wrong = 0;  ///< order of the first leading minor that is not positive definite; 0: none
  bool is_nan = false;      ///< the last pivot of that minor is NaN, otherwise negative
  std::uint64_t offset = 5;
  Choice products = plainest;
  cl_command_queue_properties queue = 0;
};

std::uint64_t place(const PotrfProblem& p, std::uint64_t i, std::uint64_t j) {
  return p.layout == Layout::row_major ? i * p.lda + j : j * p.lda + i;
}

// Returns the place of element (i, j) of L, i >= j.
std::uint64_t place_of_factor(const PotrfProblem& p, std::uint64_t i, std::uint64_t j) {
  return p.uplo == Uplo::lower ? place(p, i, j) : place(p, j, i);
}

// Fills one triangle of a symmetric or Hermitian matrix. Imaginary parts on the diagonal are NaN.
template <class T>
void fill(const PotrfProblem& p, const PotrfCase& test, T* a, std::uint64_t seed) {
  const std::uint64_t n = p.n;
  constexpr std::uint64_t rank = 8;
  using Real = detail::Part<T>;
  const auto values = random_data<std::complex<double>>(n * rank, DataKind::uniform, seed);
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j <= i; ++j) {
      std::complex<double> sum = i == j ? test.shift : 0;
      for (std::uint64_t k = 0; k < rank; ++k) {
        const std::complex<double> x = values[i * rank + k], y = values[j * rank + k];
        sum += (detail::is_complex_host_type<T> ? x * std::conj(y) : x.real() * y.real()) / static_cast<double>(rank);
      }
      sum *= test.scale;
      // An upper triangle holds the conjugates.
      if constexpr (detail::is_complex_host_type<T>)
        a[place_of_factor(p, i, j)] = {static_cast<Real>(sum.real()),
                                       i == j ? std::numeric_limits<Real>::quiet_NaN()
                                              : static_cast<Real>(p.uplo == Uplo::lower ? sum.imag() : -sum.imag())};
      else
        a[place_of_factor(p, i, j)] = static_cast<T>(sum.real());
    }
  if (test.wrong == 0) return;
  T& pivot = a[place_of_factor(p, test.wrong - 1, test.wrong - 1)];
  pivot = test.is_nan ? T{std::numeric_limits<Real>::quiet_NaN()} : -pivot;
}

template <class T>
void check_potrf(const Engine& engine, PotrfProblem p, const PotrfCase& test = {}) {
  p.type = detail::HostType<T>::type;
  const StoredShape shape{p.n, p.n, p.n + 3};
  const std::uint64_t count = p.batch.count;
  p.lda = shape.leading;
  if (count > 1) p.batch.stride_a = shape.span() + 2;
  const std::uint64_t stride_info = std::max<std::uint64_t>(p.batch.stride_info, 1);
  CAPTURE(p.n);
  CAPTURE(count);
  CAPTURE((p.layout == Layout::row_major));
  CAPTURE((p.uplo == Uplo::lower));
  CAPTURE(test.wrong);
  const cl::CommandQueue queue = make_queue(test.queue);
  GuardedMatrix<T> a(engine, shape, test.offset, Memory::banded, count, p.batch.stride_a);
  GuardedMatrix<Bits<8>> info(engine, {count, 1, stride_info}, 1, Memory::exact);
  a.poison();
  for (std::uint64_t x = 0; x < count; ++x) {
    // One matrix of a batch is not positive definite.
    PotrfCase of_matrix = test;
    if (x != count / 2) of_matrix.wrong = 0;
    fill(p, of_matrix, a.data(x), 3 + x);
  }
  a.upload(queue);
  info.upload(queue);
  queue.finish();
  potrf(engine, queue(), p, {.a = a.ref(), .info = info.ref()}, {}, test.products).wait();
  count_cases();
  count_kernel_of("potrf");
  a.download(queue);
  info.download(queue);
  CHECK(a.damage(true).empty());
  CHECK(info.damage(true).empty());
  for (std::uint64_t x = 0; x < count; ++x) {
    const std::uint64_t wrong = x == count / 2 ? test.wrong : 0;
    CHECK(std::bit_cast<std::int64_t>(info.result()[x * stride_info]) == static_cast<std::int64_t>(wrong));
    const auto view = [&](const T* data) { return lower_view(data, p.layout, p.uplo, p.n, p.lda); };
    CHECK(wrong_cholesky_factor(view(a.data(x)), view(a.result(x)), p.n, wrong == 0 ? p.n : wrong - 1,
                                SmallNumbers<T>(engine.device()).error()) == "");
    bool is_kept = true;  // whether the other triangle has not changed
    for (std::uint64_t i = 0; i < p.n; ++i)
      for (std::uint64_t j = i + 1; j < p.n; ++j)
        is_kept = is_kept && std::isnan(std::real(a.result(x)[place_of_factor(p, i, j)]));
    CHECK(is_kept);
  }
}

template <class Function>
void for_all_forms(PotrfProblem p, const Function& function) {
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      p.layout = layout;
      p.uplo = uplo;
      function(p);
    }
}

bool has_doubles() { return shared_engine().profile().fp64; }
bool is_quick() { return test_level() == TestLevel::quick; }

using C64 = std::complex<float>;
using C128 = std::complex<double>;

}  // namespace

TEST_SUITE("potrf") {
  TEST_CASE("every form, with orders around multiples of the block") {
    for (const Engine& engine : kernel_engines()) {
      // Each order needs kernels of its own.
      for (const std::uint64_t n : is_quick() ? std::vector<std::uint64_t>{1, 17, 128, 260}
                                              : std::vector<std::uint64_t>{1, 16, 17, 127, 128, 129, 390})
        for_all_forms({.n = n}, [&](const PotrfProblem& p) { check_potrf<float>(engine, p); });
      if (has_doubles())
        for_all_forms({.n = is_quick() ? 140U : 300U}, [&](const PotrfProblem& p) { check_potrf<double>(engine, p); });
    }
  }

  TEST_CASE("every form of Hermitian matrices, alone and in batches") {
    DailyShare share(3);
    for (const Engine& engine : kernel_engines()) {
      for (const std::uint64_t n : {1U, 17U, 129U})
        for_all_forms({.n = n}, [&](const PotrfProblem& p) {
          if (share.selects_next()) check_potrf<C64>(engine, p);
        });
      for (const std::uint64_t n : {5U, 150U})
        for_all_forms({.n = n, .batch = {.count = 3}}, [&](const PotrfProblem& p) {
          if (share.selects_next()) check_potrf<C64>(engine, p, {.wrong = 5});
        });
      if (has_doubles() && !is_quick())
        for_all_forms({.n = 140}, [&](const PotrfProblem& p) { check_potrf<C128>(engine, p); });
    }
  }

  TEST_CASE("batches of small and larger matrices") {
    for (const Engine& engine : kernel_engines())
      for (const std::uint64_t n : {5U, 30U, is_quick() ? 140U : 300U})
        for_all_forms({.n = n, .batch = {.count = 3}}, [&](const PotrfProblem& p) {
          check_potrf<float>(engine, p);
          check_potrf<float>(engine, p, {.wrong = 5});
        });
  }

  // The group that starts first factors the block, so groups may wait for it on every device whose groups are threads.
  TEST_CASE("groups that wait for the factor of the block above them") {
    if (shared_engine().profile().vendor == Vendor::oclgrind) return;  // it reports what groups exchange as races
    Engine engine(shared_context()(), shared_engine().device());
    DeviceProfile device = engine.profile();
    device.type = DeviceType::gpu;
    device.vendor = Vendor::nvidia;
    state_of(engine).set_profile(device);
    for_all_forms({.n = 150}, [&](const PotrfProblem& p) { check_potrf<float>(engine, p); });
    check_potrf<float>(engine, {.n = 300}, {.wrong = 70});
    check_potrf<C64>(engine, {.uplo = Uplo::upper, .n = 129});
    check_potrf<float>(engine, {.n = 40});  // no rows below, so nothing to wait for
    if (!has_doubles()) return;
    check_potrf<double>(engine, {.n = 257});
    check_potrf<C128>(engine, {.n = 130});
  }

  TEST_CASE("infos of a batch at a distance") {
    for (const Engine& engine : kernel_engines())
      for (const std::uint64_t n : {5U, 150U})
        check_potrf<float>(engine, {.n = n, .batch = {.count = 3, .stride_info = 3}}, {.wrong = 4});
  }

  TEST_CASE("info is the first leading minor that is not positive definite") {
    for (const Engine& engine : kernel_engines())
      for (const std::uint64_t wrong : {1U, 17U, 128U, 129U, 257U, 290U})
        for (const bool is_nan : {false, true})
          check_potrf<float>(engine, {.uplo = (wrong % 2 == 0) == is_nan ? Uplo::lower : Uplo::upper, .n = 290},
                             {.wrong = wrong, .is_nan = is_nan});
    for (const Engine& engine : kernel_engines())
      for (const bool is_nan : {false, true})
        check_potrf<C64>(engine, {.uplo = Uplo::upper, .n = 140}, {.wrong = 130, .is_nan = is_nan});
  }

  TEST_CASE("nearly singular and scaled matrices") {
    for (const double scale : {1e-30, 1e30}) check_potrf<float>(shared_engine(), {.n = 150}, {.scale = scale});
    check_potrf<float>(shared_engine(), {.n = 40}, {.shift = 1e-3});
    for (const double scale : {1e-30, 1e30}) check_potrf<C64>(shared_engine(), {.n = 40}, {.scale = scale});
    if (!has_doubles()) return;
    for (const double scale : {1e-290, 1e290}) check_potrf<double>(shared_engine(), {.n = 150}, {.scale = scale});
    check_potrf<double>(shared_engine(), {.n = 200}, {.shift = 1e-12});
  }

  TEST_CASE("an out-of-order queue, and the default choice of products") {
    check_potrf<float>(shared_engine(), {.n = 300}, {.products = {}});
    if (has_out_of_order_queues())
      check_potrf<float>(shared_engine(), {.n = 300}, {.queue = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE});
  }

  // A product computes a triangle and the rows below it.
  TEST_CASE("products by variants that leave out what is not wanted") {
    const Choice panels{"packed_panel",
                        {{"item_m", 6},
                         {"item_n", 16},
                         {"vector_n", 8},
                         {"block_k", 64},
                         {"group_m", 24},
                         {"group_n", 32},
                         {"slice_k", 256},
                         {"unroll", 2},
                         {"pack_a", 1},
                         {"pack_b", 1}}};
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        check_potrf<float>(shared_engine(), {.layout = layout, .uplo = uplo, .n = 299}, {.products = panels});
        check_potrf<C64>(shared_engine(), {.layout = layout, .uplo = uplo, .n = 261}, {.products = panels});
        check_potrf<C64>(shared_engine(), {.layout = layout, .uplo = uplo, .n = 399}, {.products = {}});
        check_potrf<float>(shared_engine(), {.layout = layout, .uplo = uplo, .n = 267, .batch = {.count = 2}},
                           {.products = {}});
      }
  }

  TEST_CASE("info is 0 for matrices without elements") {
    const cl::CommandQueue queue = make_queue();
    cl::Buffer info(shared_context(), CL_MEM_READ_WRITE, 32);
    std::vector<std::int64_t> values(4, 7);
    queue.enqueueWriteBuffer(info, CL_TRUE, 0, 32, values.data());
    potrf(shared_engine(), queue(), {.batch = {.count = 2}}, {.info = {info(), 1}}).wait();
    potrf(shared_engine(), queue(), {.n = 3, .batch = {.count = 0}}, {}).wait();
    queue.enqueueReadBuffer(info, CL_TRUE, 0, 32, values.data());
    CHECK(values == std::vector<std::int64_t>{7, 0, 0, 7});
    values.assign(4, 7);
    queue.enqueueWriteBuffer(info, CL_TRUE, 0, 32, values.data());
    potrf(shared_engine(), queue(), {.batch = {.count = 2, .stride_info = 3}}, {.info = {info()}}).wait();
    queue.enqueueReadBuffer(info, CL_TRUE, 0, 32, values.data());
    CHECK(values == std::vector<std::int64_t>{0, 7, 7, 0});
  }
}

// Small cases for slow devices.
TEST_SUITE("every kernel") {
  TEST_CASE("potrf") {
    for (const DeviceType type : kernel_types()) {
      const Engine engine(shared_context()(), shared_engine().device());
      DeviceProfile device = engine.profile();
      device.type = type;
      // Small blocks, so that one matrix has several.
      device.max_work_group_size = 64;
      device.local_memory_bytes = device.static_local_memory_bytes = 2048;
      state_of(engine).set_profile(device);
      check_potrf<float>(engine, {.n = type == DeviceType::cpu ? 20U : 50U});
      check_potrf<C64>(engine, {.uplo = Uplo::upper, .n = 9});
    }
  }
}

}  // namespace tilewright::test
