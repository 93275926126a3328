// Errors of gemv and ger: they name the caller's operands, and nothing is enqueued.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/small_product.hpp"
#include "tilewright/gemv.hpp"

namespace tilewright::test {
namespace {

// A valid call. The buffers end with their operands.
struct SmallVectors {
  cl::Context context = shared_context();
  cl::CommandQueue queue = make_queue();
  cl::Buffer a{context, CL_MEM_READ_WRITE, 4 * 5 * 7}, x{context, CL_MEM_READ_WRITE, 4 * (2 * 6 + 1)},
      y{context, CL_MEM_READ_WRITE, 4 * (3 * 4 + 1)};
  GemvProblem problem{.m = 5, .n = 7, .incx = 2, .incy = 3};
  GemvOperands operands{.a = {a()}, .x = {x()}, .y = {y()}};

  Event run(std::span<const cl_event> waits = {}) const {
    return gemv(shared_engine(), queue(), problem, operands, waits, {"naive", {}});
  }
  std::string refused(ErrorCode code, OperandName operand) const {
    return expect_error(code, operand, [&] { run().wait(); });
  }
};

}  // namespace

TEST_SUITE("gemv errors") {
  TEST_CASE("invalid problems") {
    SmallVectors call;
    call.problem.incx = 0;
    CHECK(mentions(call.refused(ErrorCode::invalid_increment, OperandName::x), "incx is 0"));
    call.problem.incx = 2;
    call.problem.incy = 0;
    CHECK(mentions(call.refused(ErrorCode::invalid_increment, OperandName::y), "incy is 0"));
    call.problem.incy = 3;
    call.problem.lda = 6;
    CHECK(mentions(call.refused(ErrorCode::invalid_leading_dimension, OperandName::a), "lda is 6"));
    call.problem.lda = 0;
    call.problem.incy = std::int64_t{1} << 62;
    CHECK(mentions(call.refused(ErrorCode::size_overflow, OperandName::y), "y of "));
    call.problem.incy = 3;
    call.problem.batch = {.count = 2, .stride_y = 6};
    CHECK(mentions(call.refused(ErrorCode::overlapping_operands, OperandName::y),
                   "stride_y is 6, so y number 0 and y number 1 of the batch share elements"));
    call.problem.batch = {};
    call.problem.offset_alignment = 3;
    expect_error(ErrorCode::invalid_offset, [&] { GemvPlan(shared_engine(), call.problem); });
    call.problem.offset_alignment = 16;
    call.problem.type = DataType::i32;
    expect_error(ErrorCode::unsupported_type, [&] { call.run(); });
  }

  // Vectors with a negative increment are copied before the product.
  TEST_CASE("invalid scalars are found before anything is enqueued") {
    for (const std::int64_t sign : {1, -1}) {
      SmallVectors call;
      call.problem.incx *= sign;
      call.problem.incy *= sign;
      const auto check_refused = [&] {
        cl::UserEvent gate(call.context);
        const cl_event wait = gate();
        expect_error(ErrorCode::invalid_scalar, [&] { call.run({&wait, 1}); });
        cl::Event marker;
        call.queue.enqueueMarkerWithWaitList(nullptr, &marker);
        call.queue.flush();
        CHECK_MESSAGE(completes_soon(marker()), "something was enqueued");
        gate.setStatus(CL_COMPLETE);
        call.queue.finish();
      };
      call.operands.alpha = {1, 2};
      check_refused();
      call.operands.alpha = 1;
      call.operands.beta = {0, 1};
      check_refused();
      call.problem.type = DataType::i8;
      call.operands.beta = 0.5;
      check_refused();
      call.problem.type_y = DataType::f32;
      call.operands.beta = 1;
      check_refused();
    }
  }

  TEST_CASE("invalid operands, with increments of both signs") {
    for (const std::int64_t sign : {1, -1}) {
      SmallVectors call;
      call.problem.incx *= sign;
      call.problem.incy *= sign;
      CHECK_NOTHROW(call.run().wait());
      const GemvOperands right = call.operands;
      call.operands.a = {};
      CHECK(mentions(call.refused(ErrorCode::null_object, OperandName::a), "the buffer of A is null"));
      call.operands = right;
      call.operands.x = {};
      CHECK(mentions(call.refused(ErrorCode::null_object, OperandName::x), "the buffer of x is null"));
      call.operands = right;
      call.operands.y = {};
      CHECK(mentions(call.refused(ErrorCode::null_object, OperandName::y), "the buffer of y is null"));
      call.operands = right;
      call.operands.a.offset = 1;
      CHECK(mentions(call.refused(ErrorCode::buffer_too_small, OperandName::a), "A takes 35"));
      call.operands = right;
      call.operands.x.offset = 1;
      CHECK(mentions(call.refused(ErrorCode::buffer_too_small, OperandName::x), "x takes 13"));
      call.operands = right;
      call.operands.y.offset = 1;
      CHECK(mentions(call.refused(ErrorCode::buffer_too_small, OperandName::y), "y takes 13"));
      call.operands = right;
      call.operands.y = {call.x(), 0};
      CHECK(mentions(call.refused(ErrorCode::overlapping_operands, OperandName::y), "y shares elements with x"));
      call.operands = right;
      const cl::Buffer unreadable(call.context, CL_MEM_WRITE_ONLY, 52);
      call.operands.y = {unreadable(), 0};
      CHECK_NOTHROW(call.run().wait());
      call.operands.beta = 1;
      CHECK(mentions(call.refused(ErrorCode::invalid_buffer, OperandName::y), "it is read, as beta is not 0"));
      call.operands = right;
      call.operands.alpha = {1, 1};
      expect_error(ErrorCode::invalid_scalar, [&] { call.run(); });
      call.operands = right;
      call.operands.workspace = {call.y(), 4};
      call.refused(ErrorCode::invalid_workspace, OperandName::workspace);
      call.operands = right;
      const cl_event none = nullptr;
      expect_error(ErrorCode::null_object, [&] { call.run({&none, 1}); });
      // Operands that are not read may be null.
      call.operands.a = call.operands.x = {};
      call.operands.alpha = 0;
      CHECK_NOTHROW(call.run().wait());
      call.operands = {};
      call.problem.m = 0;
      CHECK_NOTHROW(call.run().wait());
      count_cases();
    }
    const GemvPlan plan(shared_engine(), {.m = 5, .n = 7}, {"naive", {}});
    const SmallVectors call;
    CHECK(mentions(expect_error(ErrorCode::invalid_offset, OperandName::y,
                                [&] {
                                  plan.enqueue(call.queue(), {.a = {call.a()}, .x = {call.x()}, .y = {call.y(), 4}});
                                }),
                   "the offset of y is 4"));
  }

  TEST_CASE("ger names its own operands") {
    const SmallVectors call;
    const auto refused = [&](ErrorCode code, OperandName operand, const GerProblem& problem,
                             const GerOperands& operands) {
      return expect_error(code, operand, [&] {
        ger(shared_engine(), call.queue(), problem, operands, {}, {"naive", {}}).wait();
      });
    };
    const GerProblem right{.m = 5, .n = 7, .incx = 3, .incy = -2};
    const GerOperands operands{1, {call.y()}, {call.x()}, {call.a()}};
    CHECK_NOTHROW(ger(shared_engine(), call.queue(), right, operands, {}, {"naive", {}}).wait());
    GerProblem problem = right;
    problem.incy = 0;
    CHECK(mentions(refused(ErrorCode::invalid_increment, OperandName::y, problem, operands), "incy is 0"));
    problem = right;
    problem.lda = 3;
    CHECK(mentions(refused(ErrorCode::invalid_leading_dimension, OperandName::a, problem, operands), "lda is 3"));
    problem = right;
    problem.batch.count = 2;
    CHECK(mentions(refused(ErrorCode::overlapping_operands, OperandName::a, problem, operands), "stride_a is 0"));
    problem = right;
    problem.type = DataType::i8;
    CHECK(mentions(refused(ErrorCode::unsupported_type, OperandName::none, problem, operands),
                   "ger has no i8; use gemm() with k = 1"));
    for (const std::int64_t incy : {2, -2}) {
      problem = right;
      problem.incy = incy;
      CHECK(mentions(refused(ErrorCode::null_object, OperandName::x, problem, {1, {}, operands.y, operands.a}),
                     "buffer of x"));
      CHECK(mentions(refused(ErrorCode::null_object, OperandName::y, problem, {1, operands.x, {}, operands.a}),
                     "buffer of y"));
      CHECK(mentions(refused(ErrorCode::null_object, OperandName::a, problem, {1, operands.x, operands.y, {}}),
                     "buffer of A"));
      CHECK(mentions(
          refused(ErrorCode::buffer_too_small, OperandName::y, problem, {1, operands.x, {call.x(), 1}, operands.a}),
          "y takes 13"));
      CHECK(mentions(
          refused(ErrorCode::overlapping_operands, OperandName::a, problem, {1, operands.x, {call.a()}, operands.a}),
          "A shares elements with y"));
    }
    CHECK_NOTHROW(ger(shared_engine(), call.queue(), right, {0, {}, {}, {call.a()}}, {}, {"naive", {}}).wait());
    count_cases();
  }
}

}  // namespace tilewright::test
