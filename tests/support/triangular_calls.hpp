// Small calls of trsm and trmm, whose problems and operands have the same members, and checks of the calls that both
// refuse.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::test {

/// Products that are quickly compiled.
inline const Choice plain_products{"naive", {}};

/// A right call, with buffers that end where their matrices end. A is lower triangular with 2 on the diagonal and 1
/// below it. B is 1.
template <class PlanOf, class Problem, class Operands, auto function>
struct TriangularCall {
  using Plan = PlanOf;

  TriangularCall(std::uint64_t m, std::uint64_t n, cl_command_queue_properties order, float above_diagonal)
      : queue(make_queue(order)),
        a(context, CL_MEM_READ_WRITE, 4 * m * m),
        b(context, CL_MEM_READ_WRITE, 4 * m * n),
        problem{.m = m, .n = n},
        operands{.a = {a()}, .b = {b()}} {
    std::vector<float> values(m * m, 1);
    for (std::uint64_t i = 0; i < m; ++i) {
      values[i * m + i] = 2;
      for (std::uint64_t j = i + 1; j < m; ++j) values[i * m + j] = above_diagonal;
    }
    queue.enqueueWriteBuffer(a, CL_TRUE, 0, 4 * m * m, values.data());
    write(std::vector<float>(m * n, 1));
  }

  void write(const std::vector<float>& values) const {
    queue.enqueueWriteBuffer(b, CL_TRUE, 0, 4 * values.size(), values.data());
  }
  std::vector<float> read() const {
    std::vector<float> values(problem.m * problem.n);
    queue.enqueueReadBuffer(b, CL_TRUE, 0, 4 * values.size(), values.data());
    return values;
  }
  Event run(std::span<const cl_event> waits = {}) const {
    return function(shared_engine(), queue(), problem, operands, waits, plain_products);
  }
  std::string rejected(ErrorCode code, OperandName operand) const {
    return expect_error(code, operand, [&] { run().wait(); });
  }

  cl::Context context = shared_context();
  cl::CommandQueue queue;
  cl::Buffer a, b;
  Problem problem;
  Operands operands;
};

/// Checks problems that are refused, and a right one after them.
template <class Call>
void check_invalid_problems(std::initializer_list<DataType> unsupported_types) {
  Call call;
  const auto right = call.problem;
  const auto rejected = [&](ErrorCode code, OperandName operand) {
    const std::string message = call.rejected(code, operand);
    call.problem = right;
    return message;
  };
  call.problem.lda = 4;
  CHECK(mentions(rejected(ErrorCode::invalid_leading_dimension, OperandName::a), "lda is 4"));
  call.problem.ldb = 6;
  CHECK(mentions(rejected(ErrorCode::invalid_leading_dimension, OperandName::b), "ldb is 6"));
  call.problem.batch = {.count = 2, .stride_b = 30};
  CHECK(mentions(rejected(ErrorCode::overlapping_operands, OperandName::b), "stride_b is 30"));
  call.problem.batch = {.count = 2, .stride_a = std::uint64_t{1} << 62, .stride_b = 35};
  rejected(ErrorCode::size_overflow, OperandName::a);
  call.problem.ldb = std::uint64_t{1} << 61;
  CHECK(mentions(rejected(ErrorCode::size_overflow, OperandName::b), "B of 5 x 7"));
  call.problem.batch.stride_c = 1;
  rejected(ErrorCode::invalid_batch, OperandName::none);
  call.problem.batch.stride_x = 1;
  rejected(ErrorCode::invalid_batch, OperandName::none);
  for (const DataType type : unsupported_types) {
    call.problem.type = type;
    rejected(ErrorCode::unsupported_type, OperandName::none);
  }
  call.problem.offset_alignment = 3;
  expect_error(ErrorCode::invalid_offset, [&] { typename Call::Plan(shared_engine(), call.problem); });
  call.problem = right;
  CHECK_NOTHROW(call.run().wait());
  CHECK(call.is_right());
}

/// Checks operands, queues and events that are refused, and right ones after them.
template <class Call>
void check_invalid_operands() {
  Call call;
  const auto right = call.operands;
  const auto rejected = [&](ErrorCode code, OperandName operand) {
    const std::string message = call.rejected(code, operand);
    call.operands = right;
    return message;
  };
  call.operands.a = {};
  CHECK(mentions(rejected(ErrorCode::null_object, OperandName::a), "the buffer of A is null"));
  call.operands.b = {};
  CHECK(mentions(rejected(ErrorCode::null_object, OperandName::b), "the buffer of B is null"));
  call.operands.a.offset = 1;
  CHECK(mentions(rejected(ErrorCode::buffer_too_small, OperandName::a), "A takes 25"));
  call.operands.b.offset = 1;
  CHECK(mentions(rejected(ErrorCode::buffer_too_small, OperandName::b), "B takes 35"));
  call.operands.a = {call.b()};
  CHECK(mentions(rejected(ErrorCode::overlapping_operands, OperandName::b), "B shares elements with A"));
  call.operands.alpha = {1, 1};
  rejected(ErrorCode::invalid_scalar, OperandName::none);
  const cl::Buffer read_only(call.context, CL_MEM_READ_ONLY, 140), write_only(call.context, CL_MEM_WRITE_ONLY, 140);
  call.operands.b = {read_only()};
  rejected(ErrorCode::invalid_buffer, OperandName::b);
  call.operands.a = {write_only()};
  rejected(ErrorCode::invalid_buffer, OperandName::a);
  const cl::Context elsewhere(cl::Device(shared_engine().device(), true));
  const cl::Buffer foreign(elsewhere, CL_MEM_READ_WRITE, 140);
  call.operands.b = {foreign()};
  rejected(ErrorCode::foreign_object, OperandName::b);
  const typename Call::Plan plan(shared_engine(), call.problem, plain_products);
  expect_error(ErrorCode::invalid_offset, OperandName::a, [&] {
    plan.enqueue(call.queue(), {.a = {call.a(), 8}, .b = {call.b()}});
  });
  expect_error(ErrorCode::null_object, [&] { plan.enqueue(nullptr, call.operands); });
  const cl_event none = nullptr;
  expect_error(ErrorCode::null_object, [&] { call.run({&none, 1}); });
  cl::UserEvent failed(call.context);
  failed.setStatus(-5);
  const cl_event bad = failed();
  expect_error(ErrorCode::failed_wait, [&] { call.run({&bad, 1}); });
  // A rejected call has no effect on the next one.
  CHECK_NOTHROW(call.run().wait());
  CHECK(call.is_right());
  // Operands without elements are not checked, but scalars are.
  call.operands = {};
  call.problem.n = 0;
  CHECK_NOTHROW(call.run().wait());
  call.operands.alpha = {1, 1};
  call.rejected(ErrorCode::invalid_scalar, OperandName::none);
  call.operands = {};
  call.problem = {.m = 5, .n = 7, .batch = {.count = 0}};
  CHECK_NOTHROW(call.run().wait());
}

/// Checks calls with a lent workspace, which make no event.
template <class Call>
void check_lent_workspaces() {
  Call call(300, 17);  // on CPUs, systems with fewer right-hand sides need no workspace
  const typename Call::Plan plan(shared_engine(), call.problem, plain_products);
  CHECK(plan.problem() == call.problem);
  const std::uint64_t bytes = plan.workspace_bytes();
  REQUIRE(bytes > 0);
  const cl::Buffer lent(call.context, CL_MEM_READ_WRITE, bytes + 256);
  const auto enqueue = [&](WorkspaceRef workspace) {
    plan.enqueue(call.queue(), {.a = {call.a()}, .b = {call.b()}, .workspace = workspace, .event = false});
  };
  enqueue({lent(), 256});
  CHECK(call.is_right());
  expect_error(ErrorCode::invalid_workspace, OperandName::workspace, [&] { enqueue({lent(), 4}); });
  expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { enqueue({lent(), 512}); });
  expect_error(ErrorCode::overlapping_workspace, OperandName::workspace, [&] {
    plan.enqueue(call.queue(), {.a = {call.a()}, .b = {lent()}, .workspace = {lent(), 256}});
  });
}

}  // namespace tilewright::test
