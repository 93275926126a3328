// Calls on vectors: what is refused, and with which error; what may coincide; events; and vectors past 2^31 elements.
#include <doctest/doctest.h>

#include <complex>
#include <numeric>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/vector.hpp"

namespace tilewright::test {
namespace {

struct Memory {
  const Engine& engine = shared_engine();
  cl::CommandQueue queue = make_queue();
  cl::Buffer a{shared_context(), CL_MEM_READ_WRITE, 4096}, b{shared_context(), CL_MEM_READ_WRITE, 4096};
  cl::Buffer number{shared_context(), CL_MEM_READ_WRITE, 64};

  // 0, 1, 2, ... in `a`.
  void count_in_a() const {
    std::vector<float> values(1024);
    std::iota(values.begin(), values.end(), 0.F);
    queue.enqueueWriteBuffer(a, CL_TRUE, 0, 4096, values.data());
  }
  float element_of_a(std::size_t i) const {
    float value = 0;
    queue.enqueueReadBuffer(a, CL_TRUE, 4 * i, 4, &value);
    return value;
  }
};

}  // namespace

TEST_SUITE("vectors") {
  TEST_CASE("problems that make no sense are refused") {
    const Memory m;
    const MatrixRef a{m.a()}, b{m.b()}, r{m.number()};
    const auto sum = [&](const VectorProblem& p, std::complex<double> alpha = 2) {
      axpy(m.engine, m.queue(), p, alpha, a, b);
    };
    expect_error(ErrorCode::invalid_increment, OperandName::x, [&] { sum({.n = 3, .incx = 0}); });
    expect_error(ErrorCode::invalid_increment, OperandName::y, [&] { sum({.n = 1, .incy = 0}); });
    expect_error(ErrorCode::invalid_increment, OperandName::z, [&] {
      hadamard(m.engine, m.queue(), {.n = 3, .incz = 0}, 0, a, b, 2, {m.a(), 100});
    });
    expect_error(ErrorCode::invalid_increment, OperandName::x,
                 [&] { nrm2(m.engine, m.queue(), {.n = 3, .incx = 0}, a, r); });
    CHECK_NOTHROW(nrm2(m.engine, m.queue(), {.n = 3, .incy = 0}, a, r).wait());
    for (const double alpha : {0, 1, 2})
      expect_error(ErrorCode::unsupported_type,
                   [&] { scal(m.engine, m.queue(), {.type = DataType::i8, .n = 3}, alpha, a); });
    expect_error(ErrorCode::unsupported_type, [&] { sum({.type = static_cast<DataType>(99), .n = 3}); });
    expect_error(ErrorCode::invalid_scalar, [&] { sum({.n = 3}, {1, 1}); });
    expect_error(ErrorCode::size_overflow, OperandName::x,
                 [&] { sum({.n = std::uint64_t{1} << 40, .incx = std::int64_t{1} << 30}); });
    expect_error(ErrorCode::size_overflow, OperandName::y,
                 [&] { sum({.n = 3, .incy = std::numeric_limits<std::int64_t>::min()}); });
    expect_error(ErrorCode::overlapping_operands, OperandName::y,
                 [&] { sum({.n = 4, .batch = {.count = 3, .stride_x = 4, .stride_y = 3}}); });
  }

  TEST_CASE("operands that do not fit are refused, each by name") {
    const Memory m;
    const auto sum = [&](MatrixRef x, MatrixRef y, const VectorProblem& p = {.n = 10, .incx = -3}) {
      axpy(m.engine, m.queue(), p, 2, x, y).wait();
    };
    expect_error(ErrorCode::null_object, OperandName::x, [&] { sum({}, {m.b()}); });
    expect_error(ErrorCode::null_object, OperandName::y, [&] { sum({m.a()}, {}); });
    const std::string message = expect_error(ErrorCode::buffer_too_small, OperandName::x, [&] {
      sum({m.a(), 1000}, {m.b()});
    });
    CHECK(mentions(message, "10 elements, 3 apart"));
    CHECK_NOTHROW(sum({m.a(), 1024 - 28}, {m.b(), 1014}));
    expect_error(ErrorCode::buffer_too_small, OperandName::y, [&] { sum({m.a()}, {m.b(), 1015}); });
    const cl::Buffer read_only(shared_context(), CL_MEM_READ_ONLY, 4096);
    expect_error(ErrorCode::invalid_buffer, OperandName::y, [&] { sum({m.a()}, {read_only()}); });
    expect_error(ErrorCode::invalid_buffer, OperandName::x,
                 [&] { scal(m.engine, m.queue(), {.n = 3}, 2, {read_only()}); });
    expect_error(ErrorCode::null_object, OperandName::result,
                 [&] { asum(m.engine, m.queue(), {.n = 3}, {m.a()}, {}); });
    expect_error(ErrorCode::buffer_too_small, OperandName::result, [&] {
      iamax(m.engine, m.queue(), {.n = 3}, {m.a()}, {m.number(), 8});
    });
    expect_error(ErrorCode::null_object, [&] { axpy(m.engine, nullptr, {.n = 3}, 2, {m.a()}, {m.b()}); });
  }

  TEST_CASE("what is written may be what is read, element for element, and nothing else") {
    const Memory m;
    m.count_in_a();
    axpy(m.engine, m.queue(), {.n = 10}, 2, {m.a(), 5}, {m.a(), 5}).wait();
    CHECK(m.element_of_a(4) == 4);
    CHECK(m.element_of_a(14) == 42);
    CHECK(m.element_of_a(15) == 15);
    hadamard(m.engine, m.queue(), {.n = 10}, 1, {m.a(), 5}, {m.a(), 5}, 0, {m.a(), 5}).wait();
    CHECK(m.element_of_a(14) == 42 * 42);
    const auto refused = [&](const VectorProblem& p, MatrixRef x, MatrixRef y) {
      expect_error(ErrorCode::overlapping_operands, OperandName::y, [&] { axpy(m.engine, m.queue(), p, 2, x, y); });
    };
    refused({.n = 10}, {m.a(), 5}, {m.a(), 6});
    refused({.n = 10, .incx = -1}, {m.a(), 5}, {m.a(), 5});
    refused({.n = 10, .incx = 2}, {m.a(), 5}, {m.a(), 5});
    CHECK_NOTHROW(axpy(m.engine, m.queue(), {.n = 10, .incx = 2, .incy = 2}, 2, {m.a(), 5}, {m.a(), 6}).wait());
    expect_error(ErrorCode::overlapping_operands, OperandName::y,
                 [&] { swap(m.engine, m.queue(), {.n = 10}, {m.a()}, {m.a()}); });
    expect_error(ErrorCode::overlapping_operands, OperandName::result, [&] {
      nrm2(m.engine, m.queue(), {.n = 10}, {m.a()}, {m.a(), 9});
    });
    CHECK_NOTHROW(nrm2(m.engine, m.queue(), {.n = 10}, {m.a()}, {m.a(), 10}).wait());
  }

  TEST_CASE("without elements only results are written, and nothing else is looked at") {
    const Memory m;
    const std::vector<std::int64_t> ones(8, 1);
    m.queue.enqueueWriteBuffer(m.number, CL_TRUE, 0, 64, ones.data());
    CHECK_NOTHROW(axpy(m.engine, m.queue(), {}, 2, {}, {}).wait());
    CHECK_NOTHROW(swap(m.engine, m.queue(), {.n = 3, .batch = {.count = 0}}, {}, {}).wait());
    CHECK_NOTHROW(asum(m.engine, m.queue(), {.n = 3, .batch = {.count = 0}}, {}, {}).wait());
    dot(m.engine, m.queue(), {.type = DataType::c64}, {}, {}, {m.number(), 1}).wait();
    iamax(m.engine, m.queue(), {}, {}, {m.number(), 2}).wait();
    std::vector<std::int64_t> found(8);
    m.queue.enqueueReadBuffer(m.number, CL_TRUE, 0, 64, found.data());
    CHECK(found == std::vector<std::int64_t>{1, 0, -1, 1, 1, 1, 1, 1});
  }

  TEST_CASE("a call waits for its events, in queues of either order") {
    const Memory m;
    m.count_in_a();
    const cl_command_queue_properties order = has_out_of_order_queues() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const cl::CommandQueue queue = make_queue(order);
    cl::UserEvent gate(shared_context());
    const cl_event wait = gate();
    const Event scaled = scal(m.engine, queue(), {.n = 1024}, 2, {m.a()}, {&wait, 1});
    const cl_event before = scaled.get();
    const Event summed = asum(m.engine, queue(), {.n = 1024}, {m.a()}, {m.number()}, {&before, 1});
    CHECK(cl::Event(summed.get(), true).getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
    gate.setStatus(CL_COMPLETE);
    summed.wait();
    float sum = 0;
    m.queue.enqueueReadBuffer(m.number, CL_TRUE, 0, 4, &sum);
    CHECK(sum == 1023 * 1024);
    cl::UserEvent failed(shared_context());
    failed.setStatus(-5);
    const cl_event bad = failed();
    expect_error(ErrorCode::failed_wait, [&] { scal(m.engine, queue(), {.n = 3}, 2, {m.a()}, {&bad, 1}); });
  }

  TEST_CASE("recent kernels are kept") {
    const Memory m;
    const auto call = [&] { dot(m.engine, m.queue(), {.n = 500}, {m.a()}, {m.b()}, {m.number()}).wait(); };
    call();
    const ProgramStatistics before = m.engine.program_statistics();
    for (int i = 0; i < 20; ++i) call();
    CHECK(m.engine.program_statistics().compiled == before.compiled);
    CHECK(m.engine.program_statistics().reused == before.reused);
  }

  TEST_CASE("elements more than 2^31 apart") {
    const Memory m;
    const std::uint64_t bytes = (std::uint64_t{1} << 31) + 4096;
    if (m.engine.profile().max_allocation_bytes < bytes) {
      count_skip("vectors past 2^31 elements", "the device allocates less at once");
      return;
    }
    const cl::Buffer far(shared_context(), CL_MEM_READ_WRITE, bytes);
    const std::int64_t apart = std::int64_t{1} << 31;
    const unsigned char values[] = {7, 9};
    m.queue.enqueueWriteBuffer(far, CL_TRUE, 5, 1, values);
    m.queue.enqueueWriteBuffer(far, CL_TRUE, 5 + static_cast<std::size_t>(apart), 1, values + 1);
    const VectorProblem problem{.type = DataType::u8, .n = 2, .incx = -apart};
    copy(m.engine, m.queue(), problem, {far(), 5}, {m.a(), 1}).wait();
    unsigned char found[2];
    m.queue.enqueueReadBuffer(m.a, CL_TRUE, 1, 2, found);
    CHECK(found[0] == 9);
    CHECK(found[1] == 7);
  }
}

}  // namespace tilewright::test
