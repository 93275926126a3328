// Batches of 100000 systems of order 1 to 16 in each type: triangular systems, and Cholesky's factorisation with its
// solution. Workspaces are proportional to the systems.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "kernels/host_type.hpp"
#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "support/test_level.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/cholesky_inverse.hpp"
#include "tilewright/triangular.hpp"
#include "verification/cholesky/cholesky_case.hpp"

namespace tilewright::test {
namespace {

const Choice naive{"naive", {}};

// Diagonally dominant Hermitian matrices, with one right-hand side each. All of A, X and B are exact.
template <class T>
class SmallSystems {
 public:
  SmallSystems(std::uint64_t n, std::uint64_t count)
      : n_(n), count_(count), batch_{.count = count, .stride_a = n * n, .stride_b = n}, a_(count * n * n) {
    for (std::uint64_t s = 0; s < count; ++s)
      for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < n; ++j) a_[(s * n + i) * n + j] = element(s, i, j);
  }

  void check_triangles(const Engine& engine) const {
    check("trsm", true, [&](cl_command_queue queue, const MatrixRef& a, const MatrixRef& b, const MatrixRef&) {
      trsm(engine, queue, {.type = type(), .m = n_, .n = 1, .batch = batch_}, {.a = a, .b = b}, {}, naive).wait();
    });
    check("trsv", true, [&](cl_command_queue queue, const MatrixRef& a, const MatrixRef& x, const MatrixRef&) {
      trsv(engine, queue, {.type = type(), .n = n_, .batch = {.count = count_, .stride_a = n_ * n_, .stride_x = n_}},
           {.a = a, .x = x}, {}, naive)
          .wait();
    });
  }

  void check_cholesky(const Engine& engine) const {
    check("potrf, potrs", false,
          [&](cl_command_queue queue, const MatrixRef& a, const MatrixRef& b, const MatrixRef& info) {
            potrf(engine, queue, {.type = type(), .n = n_, .batch = {count_, n_ * n_}}, {.a = a, .info = info}, {},
                  naive);
            potrs(engine, queue, {.type = type(), .n = n_, .nrhs = 1, .batch = batch_}, {.a = a, .b = b}, {}, naive)
                .wait();
          });
  }

 private:
  using Real = detail::Part<T>;
  using Solve = std::function<void(cl_command_queue, const MatrixRef& a, const MatrixRef& b, const MatrixRef& info)>;

  static constexpr DataType type() { return detail::HostType<T>::type; }

  T element(std::uint64_t s, std::uint64_t i, std::uint64_t j) const {
    if (i == j) return static_cast<Real>(n_ + s % 7);
    const Real real = (i + j + s) % 3 == 0 ? Real(-0.5) : Real(0.25);
    if constexpr (detail::is_complex_host_type<T>)
      return {real, Real(i > j ? 0.25 : -0.25)};
    else
      return real;
  }
  static T x(std::uint64_t s, std::uint64_t i) { return static_cast<Real>(1 + (s + i) % 5); }

  void check(const char* operation, bool triangle, const Solve& solve) const {
    CAPTURE(std::string(operation));
    CAPTURE(n_);
    CAPTURE(static_cast<int>(type()));
    std::vector<T> a = a_, b(count_ * n_, T{0});
    for (std::uint64_t s = 0; s < count_; ++s)
      for (std::uint64_t i = 0; i < n_; ++i)
        for (std::uint64_t j = 0; j < (triangle ? i + 1 : n_); ++j) b[s * n_ + i] += a[(s * n_ + i) * n_ + j] * x(s, j);
    const cl::CommandQueue queue = make_queue();
    const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    const cl::Buffer of_a(shared_context(), copied, a.size() * sizeof(T), a.data()),
        of_b(shared_context(), copied, b.size() * sizeof(T), b.data()),
        info(shared_context(), CL_MEM_READ_WRITE, count_ * 8);
    solve(queue(), {of_a()}, {of_b()}, {info()});
    count_cases();
    count_kernel_of(operation);
    queue.enqueueReadBuffer(of_b, CL_TRUE, 0, b.size() * sizeof(T), b.data());
    double worst = 0;
    for (std::uint64_t s = 0; s < count_; ++s)
      for (std::uint64_t i = 0; i < n_; ++i) {
        const auto error = static_cast<double>(std::abs(b[s * n_ + i] - x(s, i)));
        if (!(error <= worst)) worst = error;
      }
    CHECK(worst <= 1e-5);
  }

  std::uint64_t n_, count_;
  Batch batch_;
  std::vector<T> a_;
};

// Calls function(std::type_identity<T>()) for each type that the device has.
template <class Function>
void for_each_type(const Function& function) {
  function(std::type_identity<float>());
  function(std::type_identity<std::complex<float>>());
  if (!shared_engine().profile().fp64) return;
  function(std::type_identity<double>());
  function(std::type_identity<std::complex<double>>());
}

}  // namespace

TEST_SUITE("small systems") {
  TEST_CASE("100000 systems of each type") {
    for_each_type([]<class T>(std::type_identity<T>) {
      std::vector<std::uint64_t> orders{5};
      if (test_level() != TestLevel::quick) orders.insert(orders.end(), {1, 2, 3, 8, 11, 16});
      for (const std::uint64_t n : orders) {
        const SmallSystems<T> systems(n, 100000);
        systems.check_triangles(shared_engine());
        systems.check_cholesky(shared_engine());
      }
    });
  }

  // NVIDIA's devices accept 65535 work-groups in dimension 2 of a grid.
  TEST_CASE("more systems than the third dimension of a grid accepts") {
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      DeviceProfile device = engine.profile();
      device.max_work_groups[2] = 300;
      state_of(engine).set_profile(device);
      for_each_type([&]<class T>(std::type_identity<T>) {
        const SmallSystems<T> systems(3, 1000);
        systems.check_triangles(engine);
        systems.check_cholesky(engine);
      });
    }
  }

  TEST_CASE("every order up to 17") {
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      for (std::uint64_t n = 1; n <= 17; n += test_level() == TestLevel::quick ? 3U : 1U) {
        const SmallSystems<std::complex<float>> systems(n, 20);
        systems.check_triangles(engine);
        systems.check_cholesky(engine);
      }
    }
  }

  // On GPUs one launch factors matrices of up to 32 rows, several per work-group.
  TEST_CASE("every form, and matrices that are not positive definite") {
    using namespace verification;
    constexpr TriangleKind kinds[] = {TriangleKind::dominant, TriangleKind::scaled, TriangleKind::tiny,
                                      TriangleKind::huge};
    for (const DeviceType device : {DeviceType::cpu, DeviceType::gpu}) {
      const Engine engine = engine_with_kernels_for(device);
      std::uint64_t turn = 0;
      DailyShare share(5);
      for_each_type([&]<class T>(std::type_identity<T>) {
        for (const std::uint64_t n : {1U, 2U, 5U, 8U, 13U, 16U, 29U, 32U})
          for (const CholeskyCall call : {CholeskyCall::potrf, CholeskyCall::posv}) {
            CholeskyCase test{.call = call, .n = n, .nrhs = call == CholeskyCall::posv ? 1 + turn % 3 : 0};
            test.uplo = turn % 2 == 0 ? Uplo::lower : Uplo::upper;
            test.info_gap = turn % 3;
            test.storage.type = detail::HostType<T>::type;
            test.storage.layout = turn / 2 % 2 == 0 ? Layout::row_major : Layout::column_major;
            test.storage.gaps = {turn % 4, turn % 2};
            test.storage.offsets = {turn % 5, 1};
            test.storage.count = 37;
            ++turn;
            test.data = kinds[turn % 4];
            if (turn % 3 == 0) {
              test.data = TriangleKind::dominant;
              test.indefinite = 1 + turn % n;
              test.has_nan = turn % 2 == 0;
            }
            if (!share.selects_next()) continue;
            CAPTURE(to_string(test));
            CHECK(try_cholesky_case(engine, test) == "");
            count_cases();
          }
      });
      count_kernel_of("potrf");
    }
  }

  TEST_CASE("workspaces are proportional to the systems") {
    constexpr std::uint64_t count = 1000;
    DailyShare share(3);
    for (const DeviceType device : kernel_types()) {
      const Engine engine = engine_with_kernels_for(device);
      for_each_type([&]<class T>(std::type_identity<T>) {
        const DataType type = detail::HostType<T>::type;
        for (const std::uint64_t n : {1U, 3U, 9U, 16U}) {
          if (!share.selects_next()) continue;
          CAPTURE(n);
          const std::uint64_t own = count * n * n * sizeof(T) + 256;
          const Batch batch{.count = count, .stride_a = n * n, .stride_b = n};
          CHECK(TrsmPlan(engine, {.type = type, .m = n, .n = 1, .batch = batch}, naive).workspace_bytes() <= 4 * own);
          CHECK(PotrsPlan(engine, {.type = type, .n = n, .nrhs = 1, .batch = batch}, naive).workspace_bytes() <=
                4 * own);
          const TrsvProblem reversed{
              .type = type, .n = n, .incx = -1, .batch = {.count = count, .stride_a = n * n, .stride_x = n}};
          CHECK(TrsvPlan(engine, reversed, naive).workspace_bytes() <= 5 * own + 256);
          const Batch of_a{.count = count, .stride_a = n * n};
          CHECK(PotrfPlan(engine, {.type = type, .n = n, .batch = of_a}, naive).workspace_bytes() == 0);
          CHECK(PotriPlan(engine, {.type = type, .n = n, .batch = of_a}, naive).workspace_bytes() == 0);
        }
      });
    }
  }
}

}  // namespace tilewright::test
