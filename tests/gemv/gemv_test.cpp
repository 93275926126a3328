// y = alpha op(A) x + beta y and A = alpha x op(y) + A: every type, layout and transpose, increments of both signs,
// gaps, offsets, batches, and scalars of zero.
#include "tilewright/gemv.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "kernels/element_type.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "verification/common/guarded_matrix.hpp"
#include "verification/common/random_data.hpp"
#include "verification/gemv/gemv_case.hpp"

namespace tilewright::test {
namespace {

using namespace verification;
using Complex = std::complex<double>;

const Choice plainest{"naive", {}};

void check(GemvCase test) {
  const std::string wrong = try_gemv_case(shared_engine(), test);
  CHECK_MESSAGE(wrong.empty(), wrong, "\n  case: ", to_string(test));
  count_cases();
  count_kernel_of(test.call == GemvCall::gemv ? "gemv" : "ger");
}

template <class T>
void fill(GuardedMatrix<T>& matrix, std::uint64_t seed) {
  const StoredShape& shape = matrix.shape();
  const auto values = random_data<T>(matrix.count() * shape.lines * shape.length, DataKind::uniform, seed);
  for (std::uint64_t x = 0, at = 0; x < matrix.count(); ++x)
    for (std::uint64_t line = 0; line < shape.lines; ++line)
      for (std::uint64_t i = 0; i < shape.length; ++i) matrix.data(x)[line * shape.leading + i] = values[at++];
}

// Calls function(type) for every floating-point type that the device supports.
template <class Function>
void for_all_types(const Function& function) {
  for (const detail::ElementType& element : detail::element_types())
    if (!detail::is_integer(element.type) && detail::why_unsupported(element.type, shared_engine().profile()).empty())
      function(element.type);
}

constexpr std::int64_t increments[][2] = {{1, 1}, {3, 1}, {1, 2}, {-1, 1}, {2, -3}, {-2, -1}};

}  // namespace

TEST_SUITE("gemv") {
  TEST_CASE("every layout, transpose and pair of increments") {
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Transpose trans : {Transpose::no, Transpose::yes})
        for (const auto& pair : increments)
          for (const std::uint64_t count : {1U, 3U})
            check({.choice = plainest,
                   .layout = layout,
                   .trans = trans,
                   .m = 13,
                   .n = 6,
                   .incx = pair[0],
                   .incy = pair[1],
                   .count = count});
  }

  TEST_CASE("every type, conjugate, and scalars of zero") {
    for_all_types([](DataType type) {
      const bool is_full = is_complex(type);
      for (const Layout layout : {Layout::row_major, Layout::column_major})
        for (const Transpose trans : {Transpose::no, Transpose::conjugate_transpose})
          for (const std::int64_t incy : {1, 2, -2}) {
            if (!is_full && (layout != Layout::row_major || trans != Transpose::no)) continue;
            GemvCase test{.choice = plainest,
                          .type = type,
                          .layout = layout,
                          .trans = trans,
                          .m = 5,
                          .n = 9,
                          .incx = 2,
                          .incy = incy,
                          .alpha = is_full ? Complex(1.5, -0.5) : Complex(1.5)};
            check(test);
            test.beta = 0;
            check(test);
            test.alpha = 0;
            test.beta = -3;
            check(test);
          }
    });
  }

  TEST_CASE("variants that the library chooses, split along k as well") {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      check({.layout = layout, .m = 301, .n = 2000, .offset = 0});
      check({.layout = layout, .m = 5000, .n = 40, .incy = 2, .beta = 0});
      check({.layout = layout, .trans = Transpose::yes, .m = 9001, .n = 17, .incx = -1});
    }
  }

  TEST_CASE("sums of integers") {
    const Engine& engine = shared_engine();
    const cl::CommandQueue queue = make_queue();
    GuardedMatrix<std::int8_t> a(engine, {3, 4, 4}, 0, Memory::exact), x(engine, {4, 1, 1}, 0, Memory::exact);
    GuardedMatrix<std::int32_t> y(engine, {3, 1, 2}, 0, Memory::banded);
    fill(a, 1);
    fill(x, 2);
    y.poison();
    a.upload(queue);
    x.upload(queue);
    y.upload(queue);
    gemv(engine, queue(), {.type = DataType::i8, .m = 3, .n = 4, .incx = -1, .incy = -2},
         {.a = a.ref(), .x = x.ref(), .y = y.ref()}, {}, plainest)
        .wait();
    y.download(queue);
    for (std::uint64_t i = 0; i < 3; ++i) {
      std::int32_t sum = 0;
      for (std::uint64_t j = 0; j < 4; ++j) sum += a.data()[i * 4 + j] * x.data()[3 - j];
      CHECK(y.result()[(2 - i) * 2] == sum);
    }
    CHECK(y.damage(true).empty());
    count_cases();
  }

  TEST_CASE("calls whose vectors are copied share a workspace or use their own, on any queues") {
    const Engine& engine = shared_engine();
    constexpr std::uint64_t calls = 6, length = 50;
    std::vector<cl::CommandQueue> queues{make_queue(), make_queue()};
    if (has_out_of_order_queues()) queues.push_back(make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
    const GemvPlan plan(engine, {.m = length, .n = length, .incx = -1, .incy = -1, .offset_alignment = 1}, plainest);
    GuardedMatrix<float> a(engine, {length, length, length}, 0, Memory::exact);
    GuardedMatrix<float> x(engine, {length, 1, 1}, 0, Memory::exact, calls, length);
    GuardedMatrix<float> y(engine, {length, 1, 1}, 0, Memory::exact, calls, length);
    fill(a, 1);
    fill(x, 2);
    a.upload(queues[0]);
    x.upload(queues[0]);
    y.upload(queues[0]);
    queues[0].finish();
    const std::uint64_t bytes = plan.workspace_bytes();
    REQUIRE(bytes == 512);
    std::vector<cl::Buffer> lent;
    std::vector<Event> events;
    for (std::uint64_t call = 0; call < calls; ++call) {
      MatrixRef x_ref = x.ref(), y_ref = y.ref();
      x_ref.offset += call * length;
      y_ref.offset += call * length;
      GemvOperands operands{.a = a.ref(), .x = x_ref, .y = y_ref};
      if (call % 2 == 1) {
        lent.emplace_back(shared_context(), CL_MEM_READ_WRITE, 256 + bytes);
        operands.workspace = {lent.back()(), 256};
      }
      events.push_back(plan.enqueue(queues[call % queues.size()](), operands));
    }
    for (const Event& event : events) event.wait();
    y.download(queues[0]);
    bool right = true;
    for (std::uint64_t call = 0; call < calls; ++call)
      for (std::uint64_t i = 0; i < length; ++i) {
        double sum = 0;
        for (std::uint64_t j = 0; j < length; ++j)
          sum += static_cast<double>(a.data()[i * length + j]) * static_cast<double>(x.data(call)[length - 1 - j]);
        right = right && std::abs(static_cast<double>(y.result(call)[length - 1 - i]) - sum) < 1e-4;
      }
    CHECK(right);
    count_cases();
  }

  TEST_CASE("gemv and ger explain the product that they consist of") {
    const DeviceProfile& device = shared_engine().profile();
    const GemvProblem product{.m = 30, .n = 20, .incx = -1};
    const Explanation gemv = explain_gemv(device, product, plainest);
    CHECK(gemv.problem == "gemv f32 30x20");
    CHECK(gemv.variant.empty());
    CHECK(gemv.reason == "computed as a gemm with one column; x is copied to the workspace");
    REQUIRE(gemv.parts.size() == 1);
    CHECK(gemv.parts[0].variant == "naive");
    const GemvPlan plan(shared_engine(), product, plainest);
    CHECK(plan.explanation().reason == gemv.reason);
    CHECK(plan.explanation().parts.at(0).variant == "naive");
    CHECK(plan.problem() == product);
    const GerProblem outer{.m = 30, .n = 20, .lda = 25};
    CHECK(explain_ger(device, outer).reason == "computed as a gemm with k = 1");
    const GerPlan outer_plan(shared_engine(), outer, plainest);
    CHECK(outer_plan.explanation().problem == "ger f32 30x20");
    CHECK(outer_plan.explanation().parts.at(0).variant == "naive");
    CHECK(outer_plan.problem() == outer);
    CHECK(outer_plan.workspace_bytes() == 0);
    CHECK(gemv_support(device, "naive", product).supported);
    CHECK(ger_support(device, "naive", outer).supported);
    expect_error(ErrorCode::unknown_variant, [&] { (void)gemv_support(device, "fastest", product); });
    expect_error(ErrorCode::invalid_increment, OperandName::y,
                 [&] { (void)ger_support(device, "naive", {.incy = 0}); });
  }

  TEST_CASE("ger: every layout and increment, types and conjugates") {
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      for (const auto& [incx, incy] : increments)
        for (const std::uint64_t count : {1U, 3U})
          check({.call = GemvCall::ger,
                 .choice = plainest,
                 .layout = layout,
                 .m = 7,
                 .n = 12,
                 .incx = incx,
                 .incy = incy,
                 .count = count});
      for_all_types([&](DataType type) {
        if (layout != Layout::row_major && !is_complex(type)) return;
        for (const std::int64_t incy : {1, 3}) {
          const bool conjugate = is_complex(type) || incy == 3;
          check({.call = GemvCall::ger,
                 .choice = plainest,
                 .type = type,
                 .layout = layout,
                 .trans = conjugate ? Transpose::conjugate_transpose : Transpose::no,
                 .m = 6,
                 .n = 5,
                 .incy = incy,
                 .alpha = is_complex(type) ? Complex(0.5, 2) : Complex(0.5)});
        }
      });
    }
    check({.call = GemvCall::ger, .m = 70, .n = 130, .offset = 0});
  }
}

// For devices that execute slowly, such as Oclgrind.
TEST_SUITE("every kernel") {
  TEST_CASE("gemv") { check({.choice = plainest, .m = 13, .n = 6, .incx = -1, .incy = -2, .count = 2}); }
}

}  // namespace tilewright::test
