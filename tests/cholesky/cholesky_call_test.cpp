// Calls of potrf, potrs and posv: solutions, queues, events, lent workspaces, explanations, and errors.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/waiting_groups.hpp"
#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/cholesky.hpp"
#include "tilewright/cholesky_inverse.hpp"
#include "verification/common/random_data.hpp"

namespace tilewright::test {
namespace {

const Choice plainest{"naive", {}};

// Densely stored systems with the symmetric positive definite A(i, j) = 1 / (1 + |i - j|) + n [i = j] and a random B.
struct Systems {
  explicit Systems(const PosvProblem& p, cl_command_queue_properties order = 0)
      : problem(p),
        queue(make_queue(order)),
        values(verification::random_data<float>(p.batch.count * p.n * p.nrhs, verification::DataKind::uniform, 7)),
        a(context, CL_MEM_READ_WRITE, 4 * p.batch.count * p.n * p.n),
        b(context, CL_MEM_READ_WRITE, 4 * values.size()),
        info(context, CL_MEM_READ_WRITE, 8 * p.batch.count) {
    problem.batch.stride_a = p.n * p.n;
    problem.batch.stride_b = p.n * p.nrhs;
    std::vector<float> matrices;
    for (std::uint64_t x = 0; x < p.batch.count; ++x)
      for (std::uint64_t i = 0; i < p.n * p.n; ++i) matrices.push_back(element(i / p.n, i % p.n));
    const cl::CommandQueue in_order = make_queue();
    in_order.enqueueWriteBuffer(a, CL_TRUE, 0, 4 * matrices.size(), matrices.data());
    in_order.enqueueWriteBuffer(b, CL_TRUE, 0, 4 * values.size(), values.data());
  }

  float element(std::uint64_t i, std::uint64_t j) const {
    const std::uint64_t distance = i < j ? j - i : i - j;
    return 1 / static_cast<float>(1 + distance) + (i == j ? static_cast<float>(problem.n) : 0);
  }

  // Whether B holds X.
  bool is_solved() const {
    std::vector<float> x(values.size());
    queue.enqueueReadBuffer(b, CL_TRUE, 0, 4 * x.size(), x.data());
    const std::uint64_t n = problem.n, columns = problem.nrhs;
    const auto place = [&](std::uint64_t i, std::uint64_t j) {
      return problem.layout == Layout::row_major ? i * columns + j : j * n + i;
    };
    double worst = 0;
    for (std::uint64_t system = 0; system < problem.batch.count; ++system)
      for (std::uint64_t j = 0; j < columns; ++j)
        for (std::uint64_t i = 0; i < n; ++i) {
          const std::uint64_t first = system * n * columns;
          double residual = -static_cast<double>(values[first + place(i, j)]);
          for (std::uint64_t k = 0; k < n; ++k)
            residual += static_cast<double>(element(i, k)) * static_cast<double>(x[first + place(k, j)]);
          if (!(std::abs(residual) <= worst)) worst = std::abs(residual);
        }
    count_cases();
    return worst <= 30 * static_cast<double>(n) * 0x1p-24;
  }

  PosvOperands operands() const { return {.a = {a()}, .b = {b()}, .info = {info()}}; }

  PosvProblem problem;
  cl::Context context = shared_context();
  cl::CommandQueue queue;
  std::vector<float> values;
  cl::Buffer a, b, info;
};

}  // namespace

TEST_SUITE("cholesky calls") {
  TEST_CASE("posv solves in every form, on in-order and out-of-order queues") {
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const std::uint64_t n : {20U, 150U}) {
          const bool is_out_of_order = n == 150 && has_out_of_order_queues();
          const Systems call({.layout = layout, .uplo = uplo, .n = n, .nrhs = 5, .batch = {.count = 2}},
                             is_out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
          posv(shared_engine(), call.queue(), call.problem, call.operands(), {}, plainest).wait();
          count_kernel_of("posv");
          CHECK(call.is_solved());
        }
  }

  TEST_CASE("plans with a lent workspace wait for an event") {
    const Systems call({.n = 300, .nrhs = 17, .batch = {.count = 1}});
    const PotrfPlan factor(shared_engine(), {.n = 300}, plainest);
    const PotrsPlan solve(shared_engine(), {.n = 300, .nrhs = 17}, plainest);
    REQUIRE(factor.workspace_bytes() > 0);
    const cl::Buffer lent(call.context, CL_MEM_READ_WRITE, std::max(factor.workspace_bytes(), solve.workspace_bytes()));
    cl::UserEvent gate(call.context);
    const cl_event wait = gate();
    const Event factored =
        factor.enqueue(call.queue(), {.a = {call.a()}, .info = {call.info()}, .workspace = {lent()}}, {&wait, 1});
    const cl_event before = factored.get();
    const Event solved =
        solve.enqueue(call.queue(), {.a = {call.a()}, .b = {call.b()}, .workspace = {lent()}}, {&before, 1});
    CHECK(cl::Event(solved.get(), true).getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
    gate.setStatus(CL_COMPLETE);
    solved.wait();
    CHECK(call.is_solved());
    const cl::Buffer small(call.context, CL_MEM_READ_WRITE, 256);
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] {
      factor.enqueue(call.queue(), {.a = {call.a()}, .info = {call.info()}, .workspace = {small()}});
    });
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace,
                 [&] { solve.enqueue(call.queue(), {.a = {call.a()}, .b = {call.b()}, .workspace = {small()}}); });
    expect_error(ErrorCode::overlapping_workspace, OperandName::workspace,
                 [&] { factor.enqueue(call.queue(), {.a = {call.a()}, .info = {lent()}, .workspace = {lent()}}); });
  }

  TEST_CASE("wrong arguments are rejected, and the next call is right") {
    const Systems call({.n = 20, .nrhs = 5, .batch = {.count = 1}});
    const MatrixRef a{call.a()}, b{call.b()}, info{call.info()};
    const auto factor = [&](const PotrfProblem& problem, const PotrfOperands& operands) {
      potrf(shared_engine(), call.queue(), problem, operands, {}, plainest).wait();
    };
    const auto rejected = [&](ErrorCode code, OperandName operand, const PotrfProblem& problem,
                              const PotrfOperands& operands) {
      return expect_error(code, operand, [&] { factor(problem, operands); });
    };
    const PotrfProblem right{.n = 20};
    rejected(ErrorCode::unsupported_type, OperandName::none, {.type = DataType::bf16, .n = 20}, {a, info});
    rejected(ErrorCode::invalid_leading_dimension, OperandName::a, {.n = 20, .lda = 19}, {a, info});
    rejected(ErrorCode::overlapping_operands, OperandName::a, {.n = 20, .batch = {2, 399}}, {a, info});
    rejected(ErrorCode::invalid_batch, OperandName::none, {.n = 20, .batch = {.stride_b = 1}}, {a, info});
    const std::uint64_t far = std::uint64_t{1} << 62;
    rejected(ErrorCode::size_overflow, OperandName::info,
             {.n = 20, .batch = {.count = 2, .stride_a = 400, .stride_info = far}}, {a, info});
    rejected(ErrorCode::size_overflow, OperandName::a, {.n = 20, .lda = std::uint64_t{1} << 60}, {a, info});
    rejected(ErrorCode::null_object, OperandName::a, right, {{}, info});
    rejected(ErrorCode::buffer_too_small, OperandName::a, right, {{call.a(), 1}, info});
    rejected(ErrorCode::null_object, OperandName::info, right, {a, {}});
    CHECK(mentions(rejected(ErrorCode::buffer_too_small, OperandName::info, right, {a, {call.info(), 1}}), "info"));
    rejected(ErrorCode::overlapping_operands, OperandName::info, right, {a, {call.a(), 199}});
    const auto solve = [&](const PosvProblem& problem, const PosvOperands& operands) {
      posv(shared_engine(), call.queue(), problem, operands, {}, plainest).wait();
    };
    const auto unsolved = [&](ErrorCode code, OperandName operand, const PosvOperands& operands) {
      return expect_error(code, operand, [&] { solve(call.problem, operands); });
    };
    unsolved(ErrorCode::null_object, OperandName::b, {.a = a, .info = info});
    unsolved(ErrorCode::buffer_too_small, OperandName::b, {.a = a, .b = {call.b(), 1}, .info = info});
    unsolved(ErrorCode::overlapping_operands, OperandName::b, {.a = a, .b = a, .info = info});
    unsolved(ErrorCode::null_object, OperandName::info, {.a = a, .b = b});
    unsolved(ErrorCode::overlapping_operands, OperandName::info, {.a = a, .b = b, .info = b});
    solve(call.problem, call.operands());
    CHECK(call.is_solved());
    CHECK_NOTHROW(solve({.n = 20, .nrhs = 0}, {.a = a, .info = info}));
    expect_error(ErrorCode::invalid_batch, [&] { PosvPlan(shared_engine(), {.n = 2, .batch = {.stride_c = 1}}); });
    expect_error(ErrorCode::invalid_batch, [&] { PotrsPlan(shared_engine(), {.n = 2, .batch = {.stride_info = 1}}); });
  }

  TEST_CASE("a posv plan uses a lent workspace, and no event if none is wanted") {
    const Systems call({.n = 300, .nrhs = 3, .batch = {.count = 1}});
    const PosvPlan plan(shared_engine(), call.problem, plainest);
    CHECK(plan.problem() == call.problem);
    REQUIRE(plan.workspace_bytes() > 0);
    const cl::Buffer lent(call.context, CL_MEM_READ_WRITE, plan.workspace_bytes());
    PosvOperands operands = call.operands();
    operands.workspace = {lent()};
    operands.event = false;
    plan.enqueue(call.queue(), operands);
    CHECK(call.is_solved());
    operands.workspace = {lent(), 256};
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { plan.enqueue(call.queue(), operands); });
    operands.workspace = {lent()};
    operands.info = {lent()};
    expect_error(ErrorCode::overlapping_workspace, OperandName::workspace,
                 [&] { plan.enqueue(call.queue(), operands); });
  }

  TEST_CASE("a choice must be valid even if no product uses it") {
    const Engine& engine = shared_engine();
    const Choice unknown{"no_such_variant", {}};
    expect_error(ErrorCode::unknown_variant, [&] { PotrfPlan(engine, {.n = 3}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { PotrfPlan(engine, {}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { PotriPlan(engine, {.n = 3}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { PotrsPlan(engine, {.n = 3, .nrhs = 1}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { PosvPlan(engine, {.n = 3, .nrhs = 1}, unknown); });
    CHECK_NOTHROW(PotrfPlan(engine, {.n = 3}, plainest));
    count_cases();
  }

  TEST_CASE("potrs shares one factor among the systems of a batch") {
    const Systems call({.n = 40, .nrhs = 3, .batch = {.count = 3}});
    potrf(shared_engine(), call.queue(), {.n = 40}, {.a = {call.a()}, .info = {call.info()}}, {}, plainest).wait();
    potrs(shared_engine(), call.queue(), {.n = 40, .nrhs = 3, .batch = {.count = 3, .stride_b = 120}},
          {.a = {call.a()}, .b = {call.b()}}, {}, plainest)
        .wait();
    CHECK(call.is_solved());
  }

  TEST_CASE("explanations list the systems and products between blocks") {
    const Explanation posv = PosvPlan(shared_engine(), {.n = 300, .nrhs = 40}, plainest).explanation();
    CHECK(posv.problem == "posv f32 300x40");
    CHECK(posv.variant.empty());
    REQUIRE(posv.parts.size() == 2);
    const Explanation &potrf = posv.parts[0], &potrs = posv.parts[1];
    CHECK(potrf.problem == "potrf f32 300");
    CHECK_FALSE(potrf.reason.empty());
    bool has_system = false, has_product = false;
    for (const Explanation& part : potrf.parts) {
      has_system = has_system || part.problem.starts_with("trsm f32 ");
      if (!part.problem.starts_with("gemm f32 ")) continue;
      has_product = true;
      CHECK(part.variant == "naive");
      CHECK_FALSE(part.configuration.empty());
    }
    CHECK(has_system != detail::may_groups_wait(shared_engine().profile()));  // there factor_panel.cl solves
    CHECK(has_product);
    CHECK(potrs.problem == "potrs f32 300x40");
    REQUIRE_FALSE(potrs.parts.empty());
    CHECK(potrs.parts[0].problem == "trsm f32 300x40");
    CHECK(PotrfPlan(shared_engine(), {.n = 3}).explanation().parts.empty());
    CHECK(mentions(PotrfPlan(shared_engine(), {}).explanation().reason, "nothing to factor"));
  }
}

}  // namespace tilewright::test
