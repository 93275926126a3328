// Calls of vector functions: errors, operands that coincide, events, workspaces, and vectors beyond 2^31 elements.
#include <doctest/doctest.h>

#include <array>
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

  // Stores 0, 1, 2, ... in `a`.
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
  TEST_CASE("invalid problems throw") {
    const Memory m;
    const VectorOperands operands{.alpha = 2, .x = {m.a()}, .y = {m.b()}, .result = {m.number()}};
    const auto sum = [&](const VectorProblem& p) { axpy(m.engine, m.queue(), p, operands); };
    expect_error(ErrorCode::invalid_increment, OperandName::x, [&] { sum({.n = 3, .incx = 0}); });
    expect_error(ErrorCode::invalid_increment, OperandName::y, [&] { sum({.n = 1, .incy = 0}); });
    expect_error(ErrorCode::invalid_increment, OperandName::z,
                 [&] { VectorPlan(m.engine, VectorFunction::hadamard, {.n = 3, .incz = 0}); });
    expect_error(ErrorCode::invalid_increment, OperandName::x,
                 [&] { nrm2(m.engine, m.queue(), {.n = 3, .incx = 0}, operands); });
    for (const DataType type : {DataType::i8, static_cast<DataType>(99)})
      for (const VectorFunction function : {VectorFunction::axpy, VectorFunction::scal, VectorFunction::dot})
        expect_error(ErrorCode::unsupported_type, [&] { VectorPlan(m.engine, function, {.type = type, .n = 3}); });
    expect_error(ErrorCode::size_overflow, OperandName::x,
                 [&] { sum({.n = std::uint64_t{1} << 40, .incx = std::int64_t{1} << 30}); });
    expect_error(ErrorCode::size_overflow, OperandName::y,
                 [&] { sum({.n = 3, .incy = std::numeric_limits<std::int64_t>::min()}); });
    expect_error(ErrorCode::overlapping_operands, OperandName::y,
                 [&] { sum({.n = 4, .batch = {.count = 3, .stride_x = 4, .stride_y = 3}}); });
    expect_error(ErrorCode::invalid_batch, [&] { sum({.n = 4, .batch = {.stride_a = 4}}); });
  }

  TEST_CASE("operands, increments and strides that a function does not have are ignored") {
    const Memory m;
    const cl::Buffer read_only(shared_context(), CL_MEM_READ_ONLY, 4);
    const MatrixRef bad{read_only(), 100};
    const VectorProblem problem{
        .n = 3, .incy = 0, .incz = 0, .summation = Summation::compensated, .batch = {.count = 2, .stride_x = 3}};
    CHECK_NOTHROW(asum(m.engine, m.queue(), problem,
                       {.alpha = {1, 1}, .x = {m.a()}, .beta = {1, 1}, .y = bad, .z = bad, .result = {m.number()}})
                      .wait());
    CHECK_NOTHROW(
        scal(m.engine, m.queue(), problem, {.x = {m.a()}, .beta = {1, 1}, .y = bad, .z = bad, .result = bad}).wait());
    CHECK_NOTHROW(axpy(m.engine, m.queue(), {.n = 3}, {.x = {m.a()}, .beta = {1, 1}, .y = {m.b()}, .z = bad}).wait());
  }

  TEST_CASE("scalars default to alpha = 1 and beta = 0") {
    const Memory m;
    m.count_in_a();
    axpby(m.engine, m.queue(), {.n = 5}, {.x = {m.a(), 1}, .y = {m.a(), 101}}).wait();
    CHECK(m.element_of_a(104) == 4);
    axpy(m.engine, m.queue(), {.n = 5}, {.x = {m.a(), 1}, .y = {m.a(), 101}}).wait();
    CHECK(m.element_of_a(104) == 8);
    hadamard(m.engine, m.queue(), {.n = 5}, {.x = {m.a(), 1}, .y = {m.a(), 101}, .z = {m.a(), 201}}).wait();
    CHECK(m.element_of_a(204) == 32);
    scal(m.engine, m.queue(), {.n = 5}, {.x = {m.a(), 201}}).wait();
    CHECK(m.element_of_a(204) == 32);
  }

  TEST_CASE("one plan computes with every kind of scalar") {
    const Memory m;
    const VectorPlan plan(m.engine, VectorFunction::axpby, {.n = 10, .incx = -1, .incy = 2});
    const auto last_of = [&](Scalar alpha, Scalar beta) {
      m.count_in_a();
      plan.enqueue(m.queue(), {.alpha = alpha, .x = {m.a(), 1}, .beta = beta, .y = {m.a(), 50}}).wait();
      CHECK(m.element_of_a(67) == 67);
      return m.element_of_a(68);  // x is 1 there, y is 68
    };
    CHECK(last_of(2, 3) == 206);
    CHECK(last_of(2, 0) == 2);
    CHECK(last_of(0, 3) == 204);
    CHECK(last_of(0, 1) == 68);
    CHECK(last_of(0, 0) == 0);
    expect_error(ErrorCode::invalid_scalar, [&] { last_of({1, 1}, 0); });
    expect_error(ErrorCode::invalid_scalar, [&] { last_of(1, {0, 1}); });
  }

  TEST_CASE("plans report what they were made for and what they run") {
    const Memory m;
    const VectorProblem problem{.type = DataType::f32, .n = 7, .incy = 0, .batch = {.count = 3, .stride_x = 7}};
    VectorPlan plan(m.engine, VectorFunction::nrm2, problem);
    CHECK(plan.function() == VectorFunction::nrm2);
    CHECK(plan.problem() == problem);
    CHECK(plan.workspace_bytes() == 0);
    CHECK(plan.explanation().problem == "nrm2 f32 7, batch of 3");
    CHECK(plan.explanation().variant == "nrm2");
    CHECK(plan.explanation().configuration["groups"] == 1);
    CHECK(mentions(plan.explanation().reason, "1 work-group of "));
    plan = VectorPlan(m.engine, VectorFunction::axpy, {});
    CHECK(plan.explanation().variant.empty());
    CHECK(mentions(plan.explanation().reason, "nothing to compute"));
    CHECK(to_string(VectorFunction::hadamard) == "hadamard");
    CHECK(to_string(static_cast<VectorFunction>(99)) == "unknown");
  }

  TEST_CASE("reductions of long vectors use the workspace that the caller lends") {
    const Memory m;
    constexpr std::uint64_t n = 1'000'000;
    const cl::Buffer ones(shared_context(), CL_MEM_READ_WRITE, 4 * n);
    m.queue.enqueueFillBuffer(ones, 1.0F, 0, 4 * n);
    const VectorPlan plan(m.engine, VectorFunction::dot, {.n = n});
    const std::uint64_t bytes = plan.workspace_bytes();
    REQUIRE(bytes > 0);
    CHECK(mentions(plan.explanation().reason, "a launch that combines their results"));
    const cl::Buffer lent(shared_context(), CL_MEM_READ_WRITE, 256 + bytes);
    const VectorOperands operands{
        .x = {ones()}, .y = {ones()}, .result = {m.number(), 1}, .workspace = {lent(), 256}, .event = false};
    plan.enqueue(m.queue(), operands);
    std::array<float, 2> found{};
    m.queue.enqueueReadBuffer(m.number, CL_TRUE, 0, 8, found.data());
    CHECK(found[1] == static_cast<float>(n));
    VectorOperands wrong = operands;
    wrong.workspace.offset = 512;
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { plan.enqueue(m.queue(), wrong); });
    wrong.workspace = {ones(), 0};
    expect_error(ErrorCode::overlapping_workspace, OperandName::workspace, [&] { plan.enqueue(m.queue(), wrong); });
    count_cases();
  }

  TEST_CASE("errors name the operand that is wrong") {
    const Memory m;
    const auto sum = [&](MatrixRef x, MatrixRef y, const VectorProblem& p = {.n = 10, .incx = -3}) {
      axpy(m.engine, m.queue(), p, {.alpha = 2, .x = x, .y = y}).wait();
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
                 [&] { scal(m.engine, m.queue(), {.n = 3}, {.alpha = 2, .x = {read_only()}}); });
    expect_error(ErrorCode::null_object, OperandName::result,
                 [&] { asum(m.engine, m.queue(), {.n = 3}, {.x = {m.a()}}); });
    expect_error(ErrorCode::buffer_too_small, OperandName::result, [&] {
      iamax(m.engine, m.queue(), {.n = 3}, {.x = {m.a()}, .result = {m.number(), 8}});
    });
    expect_error(ErrorCode::null_object, [&] { axpy(m.engine, nullptr, {.n = 3}, {.x = {m.a()}, .y = {m.b()}}); });
  }

  TEST_CASE("the output may be an input, and must not overlap one otherwise") {
    const Memory m;
    m.count_in_a();
    axpy(m.engine, m.queue(), {.n = 10}, {.alpha = 2, .x = {m.a(), 5}, .y = {m.a(), 5}}).wait();
    CHECK(m.element_of_a(4) == 4);
    CHECK(m.element_of_a(14) == 42);
    CHECK(m.element_of_a(15) == 15);
    hadamard(m.engine, m.queue(), {.n = 10}, {.x = {m.a(), 5}, .y = {m.a(), 5}, .z = {m.a(), 5}}).wait();
    CHECK(m.element_of_a(14) == 42 * 42);
    const auto refused = [&](const VectorProblem& p, MatrixRef x, MatrixRef y) {
      expect_error(ErrorCode::overlapping_operands, OperandName::y,
                   [&] { axpy(m.engine, m.queue(), p, {.x = x, .y = y}); });
    };
    refused({.n = 10}, {m.a(), 5}, {m.a(), 6});
    refused({.n = 10, .incx = -1}, {m.a(), 5}, {m.a(), 5});
    refused({.n = 10, .incx = 2}, {m.a(), 5}, {m.a(), 5});
    CHECK_NOTHROW(
        axpy(m.engine, m.queue(), {.n = 10, .incx = 2, .incy = 2}, {.x = {m.a(), 5}, .y = {m.a(), 6}}).wait());
    expect_error(ErrorCode::overlapping_operands, OperandName::y,
                 [&] { tilewright::swap(m.engine, m.queue(), {.n = 10}, {.x = {m.a()}, .y = {m.a()}}); });
    expect_error(ErrorCode::overlapping_operands, OperandName::result, [&] {
      nrm2(m.engine, m.queue(), {.n = 10}, {.x = {m.a()}, .result = {m.a(), 9}});
    });
    CHECK_NOTHROW(nrm2(m.engine, m.queue(), {.n = 10}, {.x = {m.a()}, .result = {m.a(), 10}}).wait());
  }

  TEST_CASE("if n is 0, only results are written, and vectors may be null") {
    const Memory m;
    const std::vector<std::int64_t> ones(8, 1);
    m.queue.enqueueWriteBuffer(m.number, CL_TRUE, 0, 64, ones.data());
    CHECK_NOTHROW(axpy(m.engine, m.queue(), {}, {}).wait());
    CHECK_NOTHROW(tilewright::swap(m.engine, m.queue(), {.n = 3, .batch = {.count = 0}}, {}).wait());
    CHECK_NOTHROW(asum(m.engine, m.queue(), {.n = 3, .batch = {.count = 0}}, {}).wait());
    dot(m.engine, m.queue(), {.type = DataType::c64}, {.result = {m.number(), 1}}).wait();
    iamax(m.engine, m.queue(), {}, {.result = {m.number(), 2}}).wait();
    std::vector<std::int64_t> found(8);
    m.queue.enqueueReadBuffer(m.number, CL_TRUE, 0, 64, found.data());
    CHECK(found == std::vector<std::int64_t>{1, 0, -1, 1, 1, 1, 1, 1});
  }

  TEST_CASE("a call waits for its events, on in-order and out-of-order queues") {
    const Memory m;
    m.count_in_a();
    const cl_command_queue_properties order = has_out_of_order_queues() ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const cl::CommandQueue queue = make_queue(order);
    cl::UserEvent gate(shared_context());
    const cl_event wait = gate();
    const Event scaled = scal(m.engine, queue(), {.n = 1024}, {.alpha = 2, .x = {m.a()}}, {&wait, 1});
    const cl_event before = scaled.get();
    const Event summed = asum(m.engine, queue(), {.n = 1024}, {.x = {m.a()}, .result = {m.number()}}, {&before, 1});
    CHECK(cl::Event(summed.get(), true).getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
    gate.setStatus(CL_COMPLETE);
    summed.wait();
    float sum = 0;
    m.queue.enqueueReadBuffer(m.number, CL_TRUE, 0, 4, &sum);
    CHECK(sum == 1023 * 1024);
    cl::UserEvent failed(shared_context());
    failed.setStatus(-5);
    const cl_event bad = failed();
    expect_error(ErrorCode::failed_wait, [&] { scal(m.engine, queue(), {.n = 3}, {.x = {m.a()}}, {&bad, 1}); });
  }

  TEST_CASE("the engine keeps recent plans") {
    const Memory m;
    const VectorOperands operands{.x = {m.a()}, .y = {m.b()}, .result = {m.number()}};
    const auto call = [&] { dot(m.engine, m.queue(), {.n = 500}, operands).wait(); };
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
    tilewright::copy(m.engine, m.queue(), problem, {.x = {far(), 5}, .y = {m.a(), 1}}).wait();
    unsigned char found[2];
    m.queue.enqueueReadBuffer(m.a, CL_TRUE, 1, 2, found);
    CHECK(found[0] == 9);
    CHECK(found[1] == 7);
  }
}

}  // namespace tilewright::test
