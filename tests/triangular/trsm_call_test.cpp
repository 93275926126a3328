// Calls of trsm and trsv: errors, queues, events, lent workspaces, explanations, and offsets past 2^31 elements.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "support/triangular_calls.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::test {
namespace {

struct SmallSystem : TriangularCall<TrsmPlan, TrsmProblem, TrsmOperands, &trsm> {
  explicit SmallSystem(std::uint64_t m = 5, std::uint64_t n = 7, cl_command_queue_properties order = 0)
      : TriangularCall(m, n, order, 1) {}

  // Element i of X is 2^-(i + 1).
  bool is_right() const {
    const std::vector<float> x = read();
    bool right = true;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(problem.m, 20); ++i)
      for (std::uint64_t j = 0; j < problem.n; ++j)
        right = right && std::abs(x[i * problem.n + j] * static_cast<float>(2U << i) - 1) < 1e-5F;
    count_cases();
    return right;
  }
};

}  // namespace

TEST_SUITE("trsm calls") {
  TEST_CASE("problems that are invalid") {
    check_invalid_problems<SmallSystem>({DataType::f16, DataType::i8, DataType::bf16, static_cast<DataType>(99)});
  }

  TEST_CASE("operands that do not fit") { check_invalid_operands<SmallSystem>(); }

  TEST_CASE("a lent workspace, and calls without an event") { check_lent_workspaces<SmallSystem>(); }

  TEST_CASE("calls on the engine's workspace run one after another, on in-order and out-of-order queues") {
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      SmallSystem first(300, 17, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0), second(300, 17);
      const TrsmPlan plan(shared_engine(), first.problem, plain_products);
      cl::UserEvent gate(first.context);
      const cl_event wait = gate();
      const Event held = plan.enqueue(first.queue(), first.operands, {&wait, 1});
      const Event after = plan.enqueue(second.queue(), second.operands);
      CHECK(cl::Event(held.get(), true).getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
      gate.setStatus(CL_COMPLETE);
      held.wait();
      after.wait();
      CHECK(first.is_right());
      CHECK(second.is_right());
    }
    SmallSystem call(300, 3);
    const TrsmPlan plan(shared_engine(), call.problem, plain_products);
    call.operands.event = false;
    plan.enqueue(call.queue(), call.operands);
    CHECK(call.is_right());
  }

  TEST_CASE("errors of trsv name its own operands") {
    const SmallSystem call;
    const auto rejected = [&](ErrorCode code, OperandName operand, const TrsvProblem& problem, MatrixRef a,
                              MatrixRef x) {
      return expect_error(code, operand,
                          [&] { trsv(shared_engine(), call.queue(), problem, {.a = a, .x = x}, {}, plain_products); });
    };
    const MatrixRef a{call.a()}, x{call.b()};
    for (const std::int64_t sign : {1, -1}) {
      const TrsvProblem right{.n = 5, .incx = 7 * sign};
      CHECK_NOTHROW(trsv(shared_engine(), call.queue(), right, {.a = a, .x = x}, {}, plain_products).wait());
      rejected(ErrorCode::null_object, OperandName::a, right, {}, x);
      rejected(ErrorCode::null_object, OperandName::x, right, a, {});
      CHECK(mentions(rejected(ErrorCode::buffer_too_small, OperandName::x, right, a, {call.b(), 8}), "x takes 29"));
      CHECK(mentions(rejected(ErrorCode::overlapping_operands, OperandName::x, {.n = 5, .incx = sign}, a, a),
                     "x shares elements with A"));
    }
    CHECK(mentions(rejected(ErrorCode::invalid_increment, OperandName::x, {.n = 5, .incx = 0}, a, x), "incx is 0"));
    rejected(ErrorCode::overlapping_operands, OperandName::x, {.n = 5, .batch = {.count = 2, .stride_x = 4}}, a, x);
    rejected(ErrorCode::size_overflow, OperandName::x, {.n = 5, .incx = std::int64_t{1} << 62}, a, x);
    rejected(ErrorCode::invalid_leading_dimension, OperandName::a, {.n = 5, .lda = 4}, a, x);
    rejected(ErrorCode::invalid_batch, OperandName::none, {.n = 5, .batch = {.stride_b = 1}}, a, x);
    CHECK_NOTHROW(trsv(shared_engine(), call.queue(), {}, {}).wait());
  }

  TEST_CASE("a trsv plan uses a lent workspace, and no event if none is wanted") {
    for (const std::int64_t incx : {1, -1}) {
      SmallSystem call(2100, 1);  // on CPUs, smaller systems need no workspace
      const TrsvProblem problem{.uplo = incx > 0 ? Uplo::lower : Uplo::upper, .n = 2100, .incx = incx};
      const TrsvPlan plan(shared_engine(), problem, plain_products);
      CHECK(plan.problem() == problem);
      const cl::Buffer lent(call.context, CL_MEM_READ_WRITE, plan.workspace_bytes());
      TrsvOperands operands{.a = {call.a()}, .x = {call.b()}, .workspace = {lent()}, .event = false};
      plan.enqueue(call.queue(), operands);
      std::vector<float> x(2100);
      call.queue.enqueueReadBuffer(call.b, CL_TRUE, 0, 8400, x.data());
      // Substitution starts with the first row of a lower triangle, with the last row of an upper one; a reversed
      // vector has its last element first.
      for (std::size_t i = 0; i < 20; ++i)
        CHECK(x[i] * static_cast<float>(2U << i) == doctest::Approx(1).epsilon(1e-5));
      operands.workspace = {lent(), 256};
      expect_error(ErrorCode::workspace_too_small, OperandName::workspace,
                   [&] { plan.enqueue(call.queue(), operands); });
      operands.workspace = {lent()};
      operands.x = {lent()};
      expect_error(ErrorCode::overlapping_workspace, OperandName::workspace,
                   [&] { plan.enqueue(call.queue(), operands); });
    }
  }

  TEST_CASE("a choice must be valid even if no product uses it") {
    const Choice unknown{"no_such_variant", {}};
    expect_error(ErrorCode::unknown_variant, [&] { TrsmPlan(shared_engine(), {.m = 5, .n = 4}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { TrsmPlan(shared_engine(), {}, unknown); });
    count_cases();
  }

  TEST_CASE("explanations list the products between blocks") {
    const Explanation trsm = TrsmPlan(shared_engine(), {.m = 300, .n = 40}, plain_products).explanation();
    CHECK(trsm.problem == "trsm f32 300x40");
    CHECK(trsm.variant.empty());
    CHECK(mentions(trsm.reason, "diagonal blocks of at most"));
    REQUIRE_FALSE(trsm.parts.empty());
    for (const Explanation& product : trsm.parts) {
      CHECK(product.problem.starts_with("gemm f32 "));
      CHECK(product.variant == "naive");
      CHECK_FALSE(product.configuration.empty());
    }
    CHECK(TrsmPlan(shared_engine(), {.m = 5, .n = 40}, plain_products).explanation().parts.empty());
    CHECK(mentions(TrsmPlan(shared_engine(), {}).explanation().reason, "nothing to compute"));
    const Explanation trsv = TrsvPlan(shared_engine(), {.n = 300, .incx = -1}, plain_products).explanation();
    CHECK(trsv.problem == "trsv f32 300");
    REQUIRE(trsv.parts.size() == 1);
    CHECK(trsv.parts[0].problem == "trsm f32 300x1");
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
