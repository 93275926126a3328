// Work-groups that have nothing to do, because the grid is larger than the matrix or covers both triangles. A driver
// may compile such a kernel wrongly: PoCL 3.1 let groups that had left before a barrier store after it. All memory of a
// call lies between zones that must stay as they are, the workspace too.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "runtime/engine_state.hpp"
#include "support/device_under_test.hpp"
#include "support/environment.hpp"
#include "support/kernel_types.hpp"
#include "support/run_report.hpp"
#include "tilewright/symm.hpp"
#include "tilewright/symv.hpp"
#include "tilewright/transpose.hpp"
#include "tilewright/triangular.hpp"
#include "tilewright/trmm.hpp"
#include "tilewright/trmv.hpp"

namespace tilewright::test {
namespace {

using Floats = std::vector<float>;

const Choice by_naive_gemm{"naive", {}};
constexpr Uplo both_triangles[] = {Uplo::lower, Uplo::upper};

// Memory between two zones.
class ZonedBuffer {
 public:
  ZonedBuffer(const cl::CommandQueue& queue, std::size_t bytes)
      : queue_(queue),
        before_(bytes + 2 * zone, std::byte{0xa5}),
        buffer_(shared_context(), CL_MEM_READ_WRITE, before_.size()) {
    write();
  }
  ZonedBuffer(const cl::CommandQueue& queue, const Floats& values) : ZonedBuffer(queue, values.size() * sizeof(float)) {
    const auto bytes = std::as_bytes(std::span(values));
    std::ranges::copy(bytes, before_.begin() + zone);
    write();
  }

  MatrixRef ref() const { return {buffer_(), zone / sizeof(float)}; }
  WorkspaceRef workspace() const { return {buffer_(), zone}; }

  Floats values() const {
    Floats result((before_.size() - 2 * zone) / sizeof(float));
    queue_.enqueueReadBuffer(buffer_, CL_TRUE, zone, result.size() * sizeof(float), result.data());
    return result;
  }

  // Bytes that have changed outside the memory between the zones, or anywhere.
  std::ptrdiff_t damage(bool may_change) const {
    std::vector<std::byte> now(before_.size());
    queue_.enqueueReadBuffer(buffer_, CL_TRUE, 0, now.size(), now.data());
    if (may_change) std::copy_n(before_.begin() + zone, before_.size() - 2 * zone, now.begin() + zone);
    return std::inner_product(now.begin(), now.end(), before_.begin(), std::ptrdiff_t{0}, std::plus(),
                              std::not_equal_to());
  }

 private:
  static constexpr std::ptrdiff_t zone = 1 << 16;

  void write() const { queue_.enqueueWriteBuffer(buffer_, CL_TRUE, 0, before_.size(), before_.data()); }

  cl::CommandQueue queue_;
  std::vector<std::byte> before_;
  cl::Buffer buffer_;
};

// A call in row-major f32 with small integers, whose result is exact. `changes` is the last of its operands.
class GpuCall {
 public:
  explicit GpuCall(std::size_t max_allocation_bytes = 0) : engine_(engine_with_kernels_for(DeviceType::gpu)) {
    if (max_allocation_bytes == 0) return;
    DeviceProfile device = engine_.profile();
    device.max_allocation_bytes = max_allocation_bytes;
    state_of(engine_).set_profile(device);
  }

  const Engine& engine() const { return engine_; }

  Floats drawn(std::uint64_t count) {
    Floats values(count);
    for (float& value : values) value = static_cast<float>(static_cast<int>(random_() % 5) - 2);
    return values;
  }

  // A triangle, with NaN on the other side of the diagonal.
  Floats triangle(std::uint64_t n, Uplo uplo) {
    Floats values = drawn(n * n);
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j)
        if (!is_stored(uplo, i, j)) values[i * n + j] = std::nanf("");
    return values;
  }

  ZonedBuffer zoned(const Floats& values) const { return {queue_, values}; }

  template <class Plan, class Operands>
  void run(const Plan& plan, Operands operands, std::initializer_list<const ZonedBuffer*> buffers) const {
    const ZonedBuffer workspace(queue_, plan.workspace_bytes());
    operands.workspace = workspace.workspace();
    plan.enqueue(queue_(), operands).wait();
    CHECK(workspace.damage(true) == 0);
    for (const ZonedBuffer* const buffer : buffers) CHECK(buffer->damage(buffer == *(buffers.end() - 1)) == 0);
    count_cases();
  }

  static bool is_stored(Uplo uplo, std::uint64_t i, std::uint64_t j) { return uplo == Uplo::lower ? j <= i : j >= i; }

 private:
  // PoCL's optimizer takes part in the fault; fast runs of the tests switch it off.
  ScopedEnvironment optimized_{"POCL_EXTRA_BUILD_FLAGS", std::nullopt};
  Engine engine_;
  cl::CommandQueue queue_ = make_queue();
  std::minstd_rand random_{7};
};

// T X for a triangle, or A X for a symmetric matrix of which `stored` is a triangle. X is n x lines.
Floats product_of_triangle(const Floats& stored, const Floats& x, std::uint64_t n, Uplo uplo, bool is_symmetric) {
  const std::uint64_t lines = x.size() / n;
  Floats result(x.size());
  for (std::uint64_t i = 0; i < n; ++i)
    for (std::uint64_t j = 0; j < n; ++j) {
      const bool here = GpuCall::is_stored(uplo, i, j);
      if (!here && !is_symmetric) continue;
      const float value = here ? stored[i * n + j] : stored[j * n + i];
      for (std::uint64_t l = 0; l < lines; ++l) result[i * lines + l] += value * x[j * lines + l];
    }
  return result;
}

}  // namespace

TEST_SUITE("idle groups") {
  TEST_CASE("symm: tiles outside the stored triangle, and below a last block of few rows") {
    struct Size {
      std::uint64_t order;
      std::size_t max_allocation;
    };
    for (const Size& size : {Size{33, 0}, Size{70, 0}, Size{300, 1 << 20}})  // the last one in blocks of 256 rows
      for (const Uplo uplo : both_triangles) {
        const std::uint64_t n = size.order;
        CAPTURE(n);
        CAPTURE(uplo == Uplo::upper);
        GpuCall call(size.max_allocation);
        const Floats a = call.triangle(n, uplo), b = call.drawn(n * 3);
        const ZonedBuffer of_a = call.zoned(a), of_b = call.zoned(b), of_c = call.zoned(Floats(n * 3));
        call.run(SymmPlan(call.engine(), {.uplo = uplo, .m = n, .n = 3}, by_naive_gemm),
                 SymmOperands{.a = of_a.ref(), .b = of_b.ref(), .c = of_c.ref()}, {&of_a, &of_b, &of_c});
        CHECK(of_c.values() == product_of_triangle(a, b, n, uplo, true));
      }
    count_kernel_of("symm expand for GPUs");
  }

  TEST_CASE("symv and trmv: more groups than tiles, and a last group of fewer tiles") {
    struct Size {
      std::uint64_t n;
      int groups;
    };
    for (const Size& size : {Size{70, 9}, Size{200, 4}})
      for (const Uplo uplo : both_triangles) {
        const std::uint64_t n = size.n;
        const int groups = size.groups;
        CAPTURE(n);
        CAPTURE(uplo == Uplo::upper);
        CAPTURE(groups);
        const Choice tiles{"tiles", {{"groups", groups}}};
        GpuCall call;
        const Floats a = call.triangle(n, uplo), x = call.drawn(n);
        const ZonedBuffer of_a = call.zoned(a), of_x = call.zoned(x), of_y = call.zoned(Floats(n));
        call.run(SymvPlan(call.engine(), {.uplo = uplo, .n = n}, tiles),
                 SymvOperands{.a = of_a.ref(), .x = of_x.ref(), .y = of_y.ref()}, {&of_a, &of_x, &of_y});
        CHECK(of_y.values() == product_of_triangle(a, x, n, uplo, true));
        call.run(TrmvPlan(call.engine(), {.uplo = uplo, .n = n}, tiles), TrmvOperands{.a = of_a.ref(), .x = of_x.ref()},
                 {&of_a, &of_x});
        CHECK(of_x.values() == product_of_triangle(a, x, n, uplo, false));
        // The transpose of a triangle has its rows in the other triangle.
        Floats transposed(n * n);
        for (std::uint64_t i = 0; i < n; ++i)
          for (std::uint64_t j = 0; j < n; ++j) transposed[j * n + i] = a[i * n + j];
        const ZonedBuffer of_t = call.zoned(transposed), again = call.zoned(x);
        call.run(
            TrmvPlan(call.engine(),
                     {.uplo = uplo == Uplo::lower ? Uplo::upper : Uplo::lower, .trans = Transpose::yes, .n = n}, tiles),
            TrmvOperands{.a = of_t.ref(), .x = again.ref()}, {&of_t, &again});
        CHECK(again.values() == product_of_triangle(a, x, n, uplo, false));
      }
    count_kernel_of("symv and trmv by tiles");
  }

  TEST_CASE("trmm: a last part of fewer rows") {
    constexpr std::uint64_t n = 180, lines = 5;  // parts of 128 and 52 rows
    for (const Uplo uplo : both_triangles) {
      CAPTURE(uplo == Uplo::upper);
      GpuCall call(12000);
      const Floats a = call.triangle(n, uplo), b = call.drawn(n * lines);
      const ZonedBuffer of_a = call.zoned(a), of_b = call.zoned(b);
      call.run(TrmmPlan(call.engine(), {.uplo = uplo, .m = n, .n = lines}, by_naive_gemm),
               TrmmOperands{.a = of_a.ref(), .b = of_b.ref()}, {&of_a, &of_b});
      CHECK(of_b.values() == product_of_triangle(a, b, n, uplo, false));
    }
    count_kernel_of("trmm blocks for GPUs");
  }

  TEST_CASE("trsm: updates of the last rows") {
    constexpr std::uint64_t n = 300, lines = 3;
    for (const Uplo uplo : both_triangles) {
      CAPTURE(uplo == Uplo::upper);
      GpuCall call;
      Floats a = call.triangle(n, uplo);
      const Floats x = call.drawn(n * lines);
      for (std::uint64_t i = 0; i < n; ++i) a[i * n + i] = 1;
      const ZonedBuffer of_a = call.zoned(a), of_b = call.zoned(product_of_triangle(a, x, n, uplo, false));
      call.run(TrsmPlan(call.engine(), {.uplo = uplo, .m = n, .n = lines}, by_naive_gemm),
               TrsmOperands{.a = of_a.ref(), .b = of_b.ref()}, {&of_a, &of_b});
      CHECK(of_b.values() == x);
    }
    count_kernel_of("trsm for GPUs");
  }

  TEST_CASE("transposes in place: the middle row of an odd number of tiles") {
    for (const std::uint64_t n : {5U, 70U, 150U}) {
      CAPTURE(n);
      GpuCall call;
      const Floats a = call.drawn(n * n);
      Floats expected(n * n);
      for (std::uint64_t i = 0; i < n; ++i)
        for (std::uint64_t j = 0; j < n; ++j) expected[j * n + i] = a[i * n + j];
      const ZonedBuffer of_a = call.zoned(a);
      call.run(TransposePlan(call.engine(), {.m = n, .n = n, .in_place = true}, {"swapped_tiles", {}}),
               TransposeOperands{.a = of_a.ref()}, {&of_a});
      CHECK(of_a.values() == expected);
    }
    count_kernel_of("transpose swapped_tiles");
  }
}

}  // namespace tilewright::test
