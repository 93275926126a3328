// Batches of many small systems: the workspace is proportional to their elements, and every system is solved.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/daily_share.hpp"
#include "support/device_under_test.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/lu.hpp"
#include "tilewright/triangular.hpp"
#include "verification/common/random_stream.hpp"
#include "verification/triangular/triangular_case.hpp"

namespace tilewright::test {
namespace {

const Choice naive{"naive", {}};

// Returns bytes of workspace per byte of A.
template <class Plan, class Problem>
double workspace_share(const Engine& engine, const Problem& problem, std::uint64_t n, std::uint64_t count) {
  const double own = static_cast<double>(count * n * n * size_of(problem.type));
  return static_cast<double>(Plan(engine, problem, naive).workspace_bytes()) / own;
}

GesvProblem gesv_problem(std::uint64_t n, std::uint64_t count) {
  return {.n = n, .nrhs = 1, .batch = {.count = count, .stride_a = n * n, .stride_b = n}};
}

// Returns the largest share of workspace of LU's operations.
double lu_workspace_share(const Engine& engine, std::uint64_t n, std::uint64_t count) {
  const Batch of_a{.count = count, .stride_a = n * n}, with_b{.count = count, .stride_a = n * n, .stride_b = n},
      with_inverse{.count = count, .stride_a = n * n, .stride_b = n * n};
  return std::max({workspace_share<GetrfPlan>(engine, GetrfProblem{.m = n, .n = n, .batch = of_a}, n, count),
                   workspace_share<GetrsPlan>(engine, GetrsProblem{.n = n, .nrhs = 1, .batch = with_b}, n, count),
                   workspace_share<GesvPlan>(engine, gesv_problem(n, count), n, count),
                   workspace_share<GetriPlan>(engine, GetriProblem{.n = n, .batch = with_inverse}, n, count),
                   workspace_share<DetPlan>(engine, DetProblem{.n = n, .batch = of_a}, n, count)});
}

struct SystemBuffers {
  MatrixRef a, b, pivots, info;
};
using Solve = std::function<void(cl_command_queue, const SystemBuffers&)>;

// Many small systems with one right-hand side. The matrices A are symmetric, diagonally dominant, and different. All
// elements of A, X and B are exact.
struct ManySystems {
  ManySystems(std::uint64_t order, std::uint64_t systems) : n(order), count(systems), a(count * n * n) {
    for (std::uint64_t s = 0; s < count; ++s)
      for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < n; ++j)
          a[(s * n + i) * n + j] = i == j ? static_cast<float>(n + s % 7) : (i + j + s) % 3 == 0 ? -0.5F : 0.25F;
  }

  static float x(std::uint64_t s, std::uint64_t i) { return static_cast<float>(1 + (s + i) % 5); }

  // Returns A X, or L X with the lower triangle L of A.
  std::vector<float> right_sides(bool triangle) const {
    std::vector<float> b(count * n);
    for (std::uint64_t s = 0; s < count; ++s)
      for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < (triangle ? i + 1 : n); ++j) b[s * n + i] += a[(s * n + i) * n + j] * x(s, j);
    return b;
  }

  // Calls solve() on device memory and compares B with X.
  void check(const char* operation, bool triangle, const Solve& solve) const {
    CAPTURE(std::string(operation));
    CAPTURE(n);
    const cl::CommandQueue queue = make_queue();
    const cl::Context context = shared_context();
    std::vector<float> matrices = a, b = right_sides(triangle);
    const cl_mem_flags copied = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    const cl::Buffer of_a(context, copied, matrices.size() * 4, matrices.data()),
        of_b(context, copied, b.size() * 4, b.data());
    const cl::Buffer pivots(context, CL_MEM_READ_WRITE, count * n * 8), info(context, CL_MEM_READ_WRITE, count * 8);
    solve(queue(), {.a = {of_a()}, .b = {of_b()}, .pivots = {pivots()}, .info = {info()}});
    count_cases();
    count_kernel_of(operation);
    queue.enqueueReadBuffer(of_b, CL_TRUE, 0, b.size() * 4, b.data());
    double worst = 0;
    for (std::uint64_t s = 0; s < count; ++s)
      for (std::uint64_t i = 0; i < n; ++i) {
        const double error = std::abs(static_cast<double>(b[s * n + i]) - static_cast<double>(x(s, i)));
        if (!(error <= worst)) worst = error;
      }
    CHECK(worst <= 1e-5);
  }

  std::uint64_t n, count;
  std::vector<float> a;
};

}  // namespace

TEST_SUITE("many systems") {
  TEST_CASE("the workspace is proportional to the systems") {
    constexpr std::uint64_t count = 2000;
    constexpr std::array<std::uint64_t, 9> orders{1, 2, 3, 5, 9, 16, 17, 33, 65};
    DailyShare share(4);
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      for (const std::uint64_t n : orders) {
        if (!share.selects_next()) continue;
        CAPTURE(n);
        const Batch batch{.count = count, .stride_a = n * n, .stride_b = n};
        CHECK(workspace_share<TrsmPlan>(engine, TrsmProblem{.m = n, .n = 1, .batch = batch}, n, count) <= 4.1);
        CHECK(workspace_share<PotrsPlan>(engine, PotrsProblem{.n = n, .nrhs = 1, .batch = batch}, n, count) <= 4.1);
      }
    }
    for (const std::uint64_t n : orders)
      if (share.selects_next()) CHECK(lu_workspace_share(shared_engine(), n, count) <= (n <= 64 ? 0 : 8));
    CHECK(lu_workspace_share(engine_with_kernels_for(DeviceType::gpu, 64), 66, count) <= 5);
    for (const std::uint64_t n : orders)
      if (share.selects_next())
        CHECK(workspace_share<PotrfPlan>(shared_engine(), PotrfProblem{.n = n, .batch = {count, n * n}}, n, count) <=
              (n <= 64 ? 0 : 4.1));
  }

  TEST_CASE("100000 systems") {
    for (const std::uint64_t n : {1U, 4U, 11U}) {
      const ManySystems many(n, 100000);
      const Engine& engine = shared_engine();
      const Batch batch{.count = many.count, .stride_a = n * n, .stride_b = n};
      many.check("trsm", true, [&](cl_command_queue queue, const SystemBuffers& to) {
        trsm(engine, queue, {.m = n, .n = 1, .batch = batch}, {.a = to.a, .b = to.b}, {}, naive).wait();
      });
      many.check("posv", false, [&](cl_command_queue queue, const SystemBuffers& to) {
        posv(engine, queue, {.n = n, .nrhs = 1, .batch = batch}, {.a = to.a, .b = to.b, .info = to.info}, {}, naive)
            .wait();
      });
      many.check("gesv", false, [&](cl_command_queue queue, const SystemBuffers& to) {
        gesv(engine, queue, gesv_problem(n, many.count), {.a = to.a, .pivots = to.pivots, .info = to.info, .b = to.b})
            .wait();
      });
    }
  }

  TEST_CASE("every element of the packed blocks is written") {
    for (const DeviceType type : kernel_types())
      for (const std::uint64_t m : {1U, 3U, 5U, 16U, 20U, 33U, 65U, 128U}) {
        CAPTURE(m);
        const cl::CommandQueue queue = make_queue();
        const TrsmPlan plan(engine_with_kernels_for(type), {.m = m, .n = 17}, naive);  // few systems are not packed
        const std::vector<float> ones(m * std::max<std::uint64_t>(m, 17), 1);
        std::vector<float> packed(plan.workspace_bytes() / 4, std::numeric_limits<float>::quiet_NaN());
        const auto buffer = [&](const std::vector<float>& values) {
          const cl::Buffer made(shared_context(), CL_MEM_READ_WRITE, values.size() * 4);
          queue.enqueueWriteBuffer(made, CL_TRUE, 0, values.size() * 4, values.data());
          return made;
        };
        const cl::Buffer a = buffer(ones), b = buffer(ones), workspace = buffer(packed);
        plan.enqueue(queue(), {.a = {a()}, .b = {b()}, .workspace = {workspace()}}).wait();
        count_cases();
        count_kernel_of("trsm");
        queue.enqueueReadBuffer(workspace, CL_TRUE, 0, packed.size() * 4, packed.data());
        const std::uint64_t block = std::max<std::uint64_t>(2, std::bit_ceil(m));
        for (std::uint64_t i = 0; i < block * block; ++i) REQUIRE(packed[i] <= 1);  // not NaN
      }
  }

  TEST_CASE("small systems with every block size") {
    for (const DeviceType type : kernel_types()) {
      const Engine engine = engine_with_kernels_for(type);
      for (const std::uint64_t n : {1U, 2U, 3U, 5U, 8U, 9U, 15U, 16U, 17U, 40U}) {
        const ManySystems some(n, 50);
        const Batch batch{.count = some.count, .stride_a = n * n, .stride_b = n};
        some.check("trsm", true, [&](cl_command_queue queue, const SystemBuffers& to) {
          trsm(engine, queue, {.m = n, .n = 1, .batch = batch}, {.a = to.a, .b = to.b}, {}, naive).wait();
        });
        some.check("posv", false, [&](cl_command_queue queue, const SystemBuffers& to) {
          posv(engine, queue, {.n = n, .nrhs = 1, .batch = batch}, {.a = to.a, .b = to.b, .info = to.info}, {}, naive)
              .wait();
        });
        if (type != shared_engine().profile().type) continue;  // LU's kernels for other devices take long to compile
        some.check("gesv", false, [&](cl_command_queue queue, const SystemBuffers& to) {
          gesv(engine, queue, gesv_problem(n, some.count), {.a = to.a, .pivots = to.pivots, .info = to.info, .b = to.b})
              .wait();
        });
      }
    }
  }

  // From 32 systems on, one launch solves systems of up to 32 rows, several per work-group.
  TEST_CASE("small systems in every form") {
    using namespace verification;
    constexpr std::array<std::uint64_t, 10> orders{1, 2, 3, 4, 5, 8, 13, 16, 17, 32};
    constexpr std::array<std::uint64_t, 5> lines{1, 3, 2, 4, 9};
    constexpr std::array<TriangleKind, 4> kinds{TriangleKind::dominant, TriangleKind::alternating, TriangleKind::scaled,
                                                TriangleKind::any_size};
    for (const DeviceType device : {DeviceType::cpu, DeviceType::gpu}) {
      const Engine engine = engine_with_kernels_for(device);
      std::size_t turn = 0;
      DailyShare share(7);
      for (const DataType type : {DataType::f32, DataType::c64})
        for (const Layout layout : {Layout::row_major, Layout::column_major})
          for (const Side side : {Side::left, Side::right})
            for (const Uplo uplo : {Uplo::lower, Uplo::upper})
              for (const Transpose trans : {Transpose::no, Transpose::yes, Transpose::conjugate_transpose})
                for (const Diag diag : {Diag::non_unit, Diag::unit}) {
                  if (type == DataType::f32 && trans == Transpose::conjugate_transpose) continue;
                  const std::uint64_t order = orders[turn % orders.size()], nrhs = lines[turn % 3 + turn / 7 % 3];
                  TriangularCase test{.side = side, .uplo = uplo, .trans = trans, .diag = diag};
                  test.m = side == Side::left ? order : nrhs;
                  test.n = side == Side::left ? nrhs : order;
                  test.alpha = turn % 5 == 0 ? 0.0 : -1.5;
                  test.data = diag == Diag::unit ? TriangleKind::dominant : kinds[turn % kinds.size()];
                  test.storage.type = type;
                  test.storage.layout = layout;
                  test.storage.gaps = {turn % 3, turn % 2};
                  test.storage.offsets = {turn % 4, 3};
                  test.storage.count = 33 + turn % 3;
                  test.storage.shares_a = turn % 6 == 1;
                  ++turn;
                  if (!share.selects_next()) continue;
                  CAPTURE(to_string(test));
                  CHECK(try_triangular_case(engine, test) == "");
                  count_cases();
                }
      count_kernel_of("trsm");
    }
  }

  TEST_CASE("small systems with several right-hand sides") {
    using namespace verification;
    constexpr std::array kinds{TriangleKind::dominant, TriangleKind::alternating, TriangleKind::scaled,
                               TriangleKind::any_size};
    const Engine engine = engine_with_kernels_for(DeviceType::gpu);
    RandomStream random(77);
    DailyShare share(4);
    for (std::size_t turn = 0; turn < 128; ++turn) {
      TriangularCase test{.side = turn % 2 == 0 ? Side::left : Side::right,
                          .uplo = turn / 2 % 2 == 0 ? Uplo::lower : Uplo::upper,
                          .trans = random.pick({Transpose::no, Transpose::yes, Transpose::conjugate_transpose}),
                          .diag = random.below(4) == 0 ? Diag::unit : Diag::non_unit};
      const std::uint64_t order = 1 + random.below(32), nrhs = 8 + random.below(turn % 8 == 0 ? 80 : 26);
      test.m = test.side == Side::left ? order : nrhs;
      test.n = test.side == Side::left ? nrhs : order;
      test.alpha = random.below(9) == 0 ? 0.0 : -1.5;
      test.data = test.diag == Diag::unit ? TriangleKind::dominant : kinds[random.below(kinds.size())];
      constexpr std::array types{DataType::f32, DataType::c64, DataType::f64, DataType::c128};
      test.storage.type = types[turn / 8 % (engine.profile().fp64 ? 4 : 2)];
      test.storage.layout = turn / 4 % 2 == 0 ? Layout::row_major : Layout::column_major;
      test.storage.gaps = {random.below(4), random.below(4)};
      test.storage.offsets = {random.below(4), random.below(4)};
      test.storage.count = 32 + random.below(9);
      test.storage.shares_a = random.below(6) == 0;
      if (!share.selects_next()) continue;
      CAPTURE(to_string(test));
      CHECK(try_triangular_case(engine, test) == "");
      count_cases();
    }
    count_kernel_of("trsm");
  }

  TEST_CASE("small systems take one launch each, and no workspace") {
    for (const DeviceType type : {DeviceType::cpu, DeviceType::gpu}) {
      const Engine engine = engine_with_kernels_for(type);
      for (const std::uint64_t n : {1U, 4U, 16U, 32U}) {
        const Batch batch{.count = 1000, .stride_a = n * n, .stride_b = n};
        const TrsmPlan plan(engine, {.m = n, .n = 1, .batch = batch}, naive);
        CHECK(plan.workspace_bytes() == 0);
        CHECK(plan.explanation().reason.find("small systems") == 0);
        CHECK(PotrsPlan(engine, {.n = n, .nrhs = 1, .batch = batch}, naive).workspace_bytes() == 0);
        if (type == DeviceType::cpu) continue;
        const Batch of_lines{.count = 1000, .stride_a = n * n, .stride_b = n * 40};
        for (const Layout layout : {Layout::row_major, Layout::column_major}) {
          const TrsmPlan lines(engine, {.layout = layout, .m = n, .n = 40, .batch = of_lines}, naive);
          CHECK(lines.workspace_bytes() == 0);
          CHECK(lines.explanation().reason.find(n < 2 ? "small_group.cl" : "small_line.cl") != std::string::npos);
        }
      }
    }
  }
}

}  // namespace tilewright::test
