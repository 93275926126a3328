// Calls of trsm: what is refused, and with which error; queues, events and workspaces; and matrices past 2^31 elements.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::test {
namespace {

const Choice plainest{"naive", {}};

// A call that is right, on buffers that end with their matrices: A is 2 on the diagonal and 1 below.
struct SmallSystem {
  explicit SmallSystem(std::uint64_t m = 5, std::uint64_t n = 7, cl_command_queue_properties order = 0)
      : queue(make_queue(order)),
        a(context, CL_MEM_READ_WRITE, 4 * m * m),
        b(context, CL_MEM_READ_WRITE, 4 * m * n),
        problem{.m = m, .n = n},
        operands{.a = {a()}, .b = {b()}} {
    std::vector<float> values(m * m, 1);
    for (std::uint64_t i = 0; i < m; ++i) values[i * m + i] = 2;
    queue.enqueueWriteBuffer(a, CL_TRUE, 0, 4 * m * m, values.data());
    reset();
  }

  void reset() const {
    const std::vector<float> values(problem.m * problem.n, 1);
    queue.enqueueWriteBuffer(b, CL_TRUE, 0, 4 * values.size(), values.data());
  }
  Event run(std::span<const cl_event> waits = {}) const {
    return trsm(shared_engine(), queue(), problem, operands, waits, plainest);
  }
  std::string refused(ErrorCode code, OperandName operand) const {
    return expect_error(code, operand, [&] { run().wait(); });
  }
  // Element i of X is 2^-(i + 1).
  bool is_solved() const {
    std::vector<float> x(problem.m * problem.n);
    queue.enqueueReadBuffer(b, CL_TRUE, 0, 4 * x.size(), x.data());
    bool right = true;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(problem.m, 20); ++i)
      for (std::uint64_t j = 0; j < problem.n; ++j)
        right = right && std::abs(x[i * problem.n + j] * static_cast<float>(2U << i) - 1) < 1e-5F;
    count_cases();
    return right;
  }

  cl::Context context = shared_context();
  cl::CommandQueue queue;
  cl::Buffer a, b;
  TrsmProblem problem;
  TrsmOperands operands;
};

}  // namespace

TEST_SUITE("trsm calls") {
  TEST_CASE("a problem that cannot be") {
    SmallSystem call;
    call.problem.lda = 4;
    CHECK(mentions(call.refused(ErrorCode::invalid_leading_dimension, OperandName::a), "lda is 4"));
    call.problem.lda = 0;
    call.problem.ldb = 6;
    CHECK(mentions(call.refused(ErrorCode::invalid_leading_dimension, OperandName::b), "ldb is 6"));
    call.problem.ldb = 0;
    call.problem.batch = {.count = 2, .stride_b = 30};
    CHECK(mentions(call.refused(ErrorCode::overlapping_operands, OperandName::b), "stride_b is 30"));
    call.problem.batch = {.count = 2, .stride_a = std::uint64_t{1} << 62, .stride_b = 35};
    call.refused(ErrorCode::size_overflow, OperandName::a);
    call.problem.batch = {};
    call.problem.ldb = std::uint64_t{1} << 61;
    CHECK(mentions(call.refused(ErrorCode::size_overflow, OperandName::b), "B of 5 x 7"));
    call.problem.ldb = 0;
    call.problem.offset_alignment = 3;
    expect_error(ErrorCode::invalid_offset, [&] { TrsmPlan(shared_engine(), call.problem); });
    call.problem.offset_alignment = 16;
    for (const DataType type : {DataType::f16, DataType::i8, DataType::c64, static_cast<DataType>(99)}) {
      call.problem.type = type;
      call.refused(ErrorCode::unsupported_type, OperandName::none);
    }
    call.problem.type = DataType::f32;
    CHECK_NOTHROW(call.run().wait());
    CHECK(call.is_solved());
  }

  TEST_CASE("operands that do not fit") {
    SmallSystem call;
    const TrsmOperands right = call.operands;
    call.operands.a = {};
    CHECK(mentions(call.refused(ErrorCode::null_object, OperandName::a), "the buffer of A is null"));
    call.operands = right;
    call.operands.b = {};
    CHECK(mentions(call.refused(ErrorCode::null_object, OperandName::b), "the buffer of B is null"));
    call.operands = right;
    call.operands.a.offset = 1;
    CHECK(mentions(call.refused(ErrorCode::buffer_too_small, OperandName::a), "A takes 25"));
    call.operands = right;
    call.operands.b.offset = 1;
    CHECK(mentions(call.refused(ErrorCode::buffer_too_small, OperandName::b), "B takes 35"));
    call.operands = right;
    call.operands.a = {call.b()};
    CHECK(mentions(call.refused(ErrorCode::overlapping_operands, OperandName::b), "B shares elements with A"));
    call.operands = right;
    const cl::Buffer read_only(call.context, CL_MEM_READ_ONLY, 140), write_only(call.context, CL_MEM_WRITE_ONLY, 140);
    call.operands.b = {read_only()};
    call.refused(ErrorCode::invalid_buffer, OperandName::b);
    call.operands = right;
    call.operands.a = {write_only()};
    call.refused(ErrorCode::invalid_buffer, OperandName::a);
    call.operands = right;
    const TrsmPlan plan(shared_engine(), call.problem, plainest);
    expect_error(ErrorCode::invalid_offset, OperandName::a, [&] {
      plan.enqueue(call.queue(), {.a = {call.a(), 8}, .b = {call.b()}});
    });
    const cl_event none = nullptr;
    expect_error(ErrorCode::null_object, [&] { call.run({&none, 1}); });
    expect_error(ErrorCode::null_object, [&] { plan.enqueue(nullptr, call.operands); });
    cl::UserEvent failed(call.context);
    failed.setStatus(-5);
    const cl_event bad = failed();
    expect_error(ErrorCode::failed_wait, [&] { call.run({&bad, 1}); });
    const cl::Context elsewhere(cl::Device(shared_engine().device(), true));
    const cl::Buffer foreign(elsewhere, CL_MEM_READ_WRITE, 140);
    call.operands.b = {foreign()};
    call.refused(ErrorCode::foreign_object, OperandName::b);
    // What is refused leaves the next call as it was.
    call.operands = right;
    call.run().wait();
    CHECK(call.is_solved());
    // Nothing to do: nothing is looked at.
    call.operands = {};
    call.problem.n = 0;
    CHECK_NOTHROW(call.run().wait());
    call.problem = {.m = 5, .n = 7, .batch = {.count = 0}};
    CHECK_NOTHROW(call.run().wait());
  }

  TEST_CASE("a workspace that the caller lends") {
    SmallSystem call(300, 3);
    const TrsmPlan plan(shared_engine(), call.problem, plainest);
    const std::uint64_t bytes = plan.workspace_bytes();
    REQUIRE(bytes > 0);
    const cl::Buffer lent(call.context, CL_MEM_READ_WRITE, bytes + 256);
    const auto enqueue = [&](WorkspaceRef workspace) {
      plan.enqueue(call.queue(), {.a = {call.a()}, .b = {call.b()}, .workspace = workspace}).wait();
    };
    enqueue({lent(), 256});
    CHECK(call.is_solved());
    expect_error(ErrorCode::invalid_workspace, OperandName::workspace, [&] { enqueue({lent(), 4}); });
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { enqueue({lent(), 512}); });
    expect_error(ErrorCode::overlapping_workspace, OperandName::workspace, [&] {
      plan.enqueue(call.queue(), {.a = {call.a()}, .b = {lent()}, .workspace = {lent(), 256}});
    });
  }

  TEST_CASE("calls follow one another in queues of either order, on workspaces of the engine") {
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      SmallSystem first(300, 3, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0), second(300, 3);
      const TrsmPlan plan(shared_engine(), first.problem, plainest);
      cl::UserEvent gate(first.context);
      const cl_event wait = gate();
      const Event held = plan.enqueue(first.queue(), first.operands, {&wait, 1});
      const Event after = plan.enqueue(second.queue(), second.operands);
      CHECK(cl::Event(held.get(), true).getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
      gate.setStatus(CL_COMPLETE);
      held.wait();
      after.wait();
      CHECK(first.is_solved());
      CHECK(second.is_solved());
    }
    SmallSystem call(300, 3);
    const TrsmPlan plan(shared_engine(), call.problem, plainest);
    call.operands.event = false;
    plan.enqueue(call.queue(), call.operands);
    CHECK(call.is_solved());
  }

  TEST_CASE("trsv: the same in its words") {
    const SmallSystem call;
    const auto refused = [&](ErrorCode code, OperandName operand, const TrsvProblem& problem, MatrixRef a,
                             MatrixRef x) {
      return expect_error(code, operand, [&] { trsv(shared_engine(), call.queue(), problem, a, x, {}, plainest); });
    };
    const MatrixRef a{call.a()}, x{call.b()};
    for (const std::int64_t sign : {1, -1}) {
      const TrsvProblem right{.n = 5, .incx = 7 * sign};
      CHECK_NOTHROW(trsv(shared_engine(), call.queue(), right, a, x, {}, plainest).wait());
      refused(ErrorCode::null_object, OperandName::a, right, {}, x);
      refused(ErrorCode::null_object, OperandName::x, right, a, {});
      CHECK(mentions(refused(ErrorCode::buffer_too_small, OperandName::x, right, a, {call.b(), 8}), "x takes 29"));
      CHECK(mentions(refused(ErrorCode::overlapping_operands, OperandName::x, {.n = 5, .incx = sign}, a, a),
                     "x shares elements with A"));
    }
    CHECK(mentions(refused(ErrorCode::invalid_increment, OperandName::x, {.n = 5, .incx = 0}, a, x), "incx is 0"));
    refused(ErrorCode::overlapping_operands, OperandName::x, {.n = 5, .batch = {.count = 2, .stride_x = 4}}, a, x);
    refused(ErrorCode::size_overflow, OperandName::x, {.n = 5, .incx = std::int64_t{1} << 62}, a, x);
    refused(ErrorCode::invalid_leading_dimension, OperandName::a, {.n = 5, .lda = 4}, a, x);
    CHECK_NOTHROW(trsv(shared_engine(), call.queue(), {}, {}, {}).wait());
  }

  TEST_CASE("rows more than 2^31 elements apart") {
    SmallSystem call(2, 1);
    const std::uint64_t apart = std::uint64_t{1} << 31, bytes = 4 * (apart + 16);
    if (shared_engine().profile().max_allocation_bytes < bytes) {
      count_skip("trsm past 2^31 elements", "the device allocates less at once");
      return;
    }
    const cl::Buffer far(call.context, CL_MEM_READ_WRITE, bytes);
    const std::vector<float> values{4, 9};
    for (std::size_t i = 0; i < 2; ++i) call.queue.enqueueWriteBuffer(far, CL_TRUE, 4 * (3 + i * apart), 4, &values[i]);
    call.problem.ldb = apart;
    call.operands.b = {far(), 3};
    call.run().wait();
    std::vector<float> x(2);
    for (std::size_t i = 0; i < 2; ++i) call.queue.enqueueReadBuffer(far, CL_TRUE, 4 * (3 + i * apart), 4, &x[i]);
    CHECK(x == std::vector<float>{2, 3.5F});
    count_cases();
  }
}

}  // namespace tilewright::test
