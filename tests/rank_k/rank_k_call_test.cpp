// Calls of syrk, syr2k and gemmt: errors, queues, events, lent workspaces, explanations, and offsets past 2^31
// elements.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/rank_k.hpp"

namespace tilewright::test {
namespace {

const Choice plainest{"naive", {}};

// A right call of syr2k, with buffers that end where their matrices end. A and B are ones.
struct SmallUpdate {
  explicit SmallUpdate(std::uint64_t n = 5, std::uint64_t k = 3, cl_command_queue_properties order = 0)
      : queue(make_queue(order)),
        a(filled(n * k, 1)),
        b(filled(n * k, 1)),
        c(filled(n * n, 7)),
        problem{.n = n, .k = k},
        operands{.a = {a()}, .b = {b()}, .c = {c()}} {}

  cl::Buffer filled(std::uint64_t elements, float value) const {
    std::vector<float> values(elements, value);
    return {context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 4 * elements, values.data()};
  }
  Event run(std::span<const cl_event> waits = {}) const {
    return syr2k(shared_engine(), queue(), problem, operands, waits, plainest);
  }
  std::string rejected(ErrorCode code, OperandName operand) const {
    return expect_error(code, operand, [&] { run().wait(); });
  }
  bool is_updated() const {
    const std::uint64_t n = problem.n;
    std::vector<float> found(n * n);
    queue.enqueueReadBuffer(c, CL_TRUE, 0, 4 * n * n, found.data());
    bool right = true;
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < n; ++j)
        right = right && found[i * n + j] == (j <= i ? static_cast<float>(2 * problem.k) : 7);
    count_cases();
    return right;
  }

  cl::Context context = shared_context();
  cl::CommandQueue queue;
  cl::Buffer a, b, c;
  Syr2kProblem problem;
  Syr2kOperands operands;
};

}  // namespace

TEST_SUITE("rank-k calls") {
  TEST_CASE("problems that are invalid") {
    SmallUpdate call;
    const Syr2kProblem right = call.problem;
    call.problem.lda = 2;
    CHECK(mentions(call.rejected(ErrorCode::invalid_leading_dimension, OperandName::a), "lda is 2"));
    call.problem = right;
    call.problem.ldb = 2;
    call.rejected(ErrorCode::invalid_leading_dimension, OperandName::b);
    call.problem = right;
    call.problem.ldc = 4;
    CHECK(mentions(call.rejected(ErrorCode::invalid_leading_dimension, OperandName::c), "ldc is 4"));
    call.problem = right;
    // Dense squares would overlap, though their lower triangles would not.
    call.problem.batch = {.count = 2, .stride_c = 24};
    CHECK(mentions(call.rejected(ErrorCode::overlapping_operands, OperandName::c), "stride_c is 24"));
    call.problem.batch = {.count = 2, .stride_a = std::uint64_t{1} << 62, .stride_c = 25};
    call.rejected(ErrorCode::size_overflow, OperandName::a);
    call.problem = right;
    call.problem.ldc = std::uint64_t{1} << 61;
    CHECK(mentions(call.rejected(ErrorCode::size_overflow, OperandName::c), "C of 5 x 5"));
    call.problem = right;
    call.problem.offset_alignment = 3;
    expect_error(ErrorCode::invalid_offset, [&] { Syr2kPlan(shared_engine(), call.problem); });
    call.problem = right;
    call.problem.batch.stride_x = 1;
    call.rejected(ErrorCode::invalid_batch, OperandName::none);
    call.problem.batch = {.by_offsets = true};
    call.rejected(ErrorCode::invalid_batch, OperandName::none);
    expect_error(ErrorCode::invalid_batch,
                 [] { SyrkPlan(shared_engine(), {.n = 2, .k = 2, .batch = {.stride_b = 1}}); });
    call.problem = right;
    for (const DataType type : {DataType::u8, DataType::i8, DataType::i32, static_cast<DataType>(99)}) {
      call.problem.type = type;
      call.rejected(ErrorCode::unsupported_type, OperandName::none);
    }
    // A workspace that no device has is refused before its blocks are listed.
    expect_error(ErrorCode::out_of_memory,
                 [] { SyrkPlan(shared_engine(), {.n = std::uint64_t{1} << 28, .k = 1}, plainest); });
    call.problem = right;
    CHECK_NOTHROW(call.run().wait());
    CHECK(call.is_updated());
  }

  TEST_CASE("a choice must be valid even if no product uses it") {
    const Choice unknown{"no_such_variant", {}};
    expect_error(ErrorCode::unknown_variant, [&] { SyrkPlan(shared_engine(), {.n = 5}, unknown); });
    expect_error(ErrorCode::unknown_variant, [&] { Syr2kPlan(shared_engine(), {.k = 5}, unknown); });
    CHECK_NOTHROW(SyrkPlan(shared_engine(), {.n = 5}, plainest));
    count_cases();
  }

  TEST_CASE("scalars") {
    const Engine& e = shared_engine();
    const cl::CommandQueue queue = make_queue();
    const SmallUpdate of;  // its buffers are long enough for complex matrices of order 2
    const MatrixRef a = of.operands.a, b = of.operands.b, c = of.operands.c;
    const Scalar imaginary{1, 1};
    using enum Symmetry;
    const auto herk = [&](Symmetry symmetry, Scalar alpha, Scalar beta) {
      syrk(e, queue(), {.type = DataType::c64, .symmetry = symmetry, .n = 2, .k = 2},
           {.alpha = alpha, .a = a, .beta = beta, .c = c}, {}, plainest)
          .wait();
    };
    const auto her2k = [&](Symmetry symmetry, Scalar alpha, Scalar beta) {
      syr2k(e, queue(), {.type = DataType::c64, .symmetry = symmetry, .n = 2, .k = 2},
            {.alpha = alpha, .a = a, .b = b, .beta = beta, .c = c}, {}, plainest)
          .wait();
    };
    CHECK_NOTHROW(herk(symmetric, imaginary, imaginary));
    CHECK_NOTHROW(her2k(symmetric, imaginary, imaginary));
    CHECK_NOTHROW(her2k(hermitian, imaginary, 1));
    CHECK(mentions(expect_error(ErrorCode::invalid_scalar, [&] { herk(hermitian, imaginary, 1); }), "alpha"));
    CHECK(mentions(expect_error(ErrorCode::invalid_scalar, [&] { herk(hermitian, 1, imaginary); }), "beta"));
    CHECK(mentions(expect_error(ErrorCode::invalid_scalar, [&] { her2k(hermitian, 1, imaginary); }), "beta"));
    for (const Symmetry symmetry : {symmetric, hermitian})
      expect_error(ErrorCode::invalid_scalar, [&] {
        syrk(e, queue(), {.symmetry = symmetry, .n = 2, .k = 2}, {.alpha = imaginary, .a = a, .c = c}, {}, plainest);
      });
    count_cases();
  }

  TEST_CASE("operands that do not fit") {
    SmallUpdate call;
    const Syr2kOperands right = call.operands;
    call.operands.a = {};
    CHECK(mentions(call.rejected(ErrorCode::null_object, OperandName::a), "the buffer of A is null"));
    call.operands.b = {};
    call.rejected(ErrorCode::null_object, OperandName::a);
    call.operands = right;
    call.operands.b = {};
    call.rejected(ErrorCode::null_object, OperandName::b);
    call.operands = right;
    call.operands.c = {};
    call.rejected(ErrorCode::null_object, OperandName::c);
    call.operands = right;
    call.operands.a.offset = 1;
    CHECK(mentions(call.rejected(ErrorCode::buffer_too_small, OperandName::a), "A takes 15"));
    call.operands = right;
    call.operands.c.offset = 1;
    CHECK(mentions(call.rejected(ErrorCode::buffer_too_small, OperandName::c), "C takes 25"));
    call.operands = right;
    call.operands.b = {call.c()};
    CHECK(mentions(call.rejected(ErrorCode::overlapping_operands, OperandName::c), "C shares elements with B"));
    // A row of A in the triangle of C that is not used.
    const cl::Buffer square = call.filled(25, 1);
    expect_error(ErrorCode::overlapping_operands, OperandName::c, [&] {
      syrk(shared_engine(), call.queue(), {.n = 5, .k = 1, .lda = 1}, {.a = {square(), 1}, .c = {square()}}, {},
           plainest);
    });
    call.operands = right;
    const cl::Buffer read_only(call.context, CL_MEM_READ_ONLY, 100), write_only(call.context, CL_MEM_WRITE_ONLY, 100);
    call.operands.c = {read_only()};
    call.rejected(ErrorCode::invalid_buffer, OperandName::c);
    call.operands.c = {write_only()};
    CHECK_NOTHROW(call.run().wait());  // beta is 0
    call.operands.beta = 1;
    CHECK(mentions(call.rejected(ErrorCode::invalid_buffer, OperandName::c), "beta is not 0"));
    call.operands = right;
    const Syr2kPlan plan(shared_engine(), call.problem, plainest);
    expect_error(ErrorCode::invalid_offset, OperandName::a, [&] {
      plan.enqueue(call.queue(), {.a = {call.a(), 8}, .b = right.b, .c = right.c});
    });
    const cl_event none = nullptr;
    expect_error(ErrorCode::null_object, [&] { call.run({&none, 1}); });
    expect_error(ErrorCode::null_object, [&] { plan.enqueue(nullptr, call.operands); });
    // A rejected call has no effect on the next one.
    call.run().wait();
    CHECK(call.is_updated());
    // Operands without elements are not checked, and neither are those that are not read.
    call.operands = {};
    call.problem.n = 0;
    CHECK_NOTHROW(call.run().wait());
    call.problem = {.n = 5, .k = 3, .batch = {.count = 0}};
    CHECK_NOTHROW(call.run().wait());
    call.problem = {.n = 5};
    call.operands = {.beta = 1, .c = right.c};
    CHECK_NOTHROW(call.run().wait());
    CHECK(call.is_updated() == false);
  }

  TEST_CASE("a lent workspace") {
    SmallUpdate call(300, 3);
    const Syr2kPlan plan(shared_engine(), call.problem, plainest);
    CHECK(plan.problem() == call.problem);
    const std::uint64_t bytes = plan.workspace_bytes();
    REQUIRE(bytes > 0);
    const cl::Buffer lent(call.context, CL_MEM_READ_WRITE, bytes + 256);
    const auto enqueue = [&](WorkspaceRef workspace) {
      Syr2kOperands operands = call.operands;
      operands.workspace = workspace;
      plan.enqueue(call.queue(), operands).wait();
    };
    enqueue({lent(), 256});
    CHECK(call.is_updated());
    expect_error(ErrorCode::invalid_workspace, OperandName::workspace, [&] { enqueue({lent(), 4}); });
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { enqueue({lent(), 512}); });
    call.operands.a = {lent()};
    expect_error(ErrorCode::overlapping_workspace, OperandName::workspace, [&] { enqueue({lent(), 256}); });
  }

  TEST_CASE("calls on the engine's workspace run one after another, on in-order and out-of-order queues") {
    for (const bool out_of_order : {false, true}) {
      if (out_of_order && !has_out_of_order_queues()) continue;
      SmallUpdate first(300, 90, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0), second(300, 90);
      const Syr2kPlan plan(shared_engine(), first.problem, plainest);
      cl::UserEvent gate(first.context);
      const cl_event wait = gate();
      const Event held = plan.enqueue(first.queue(), first.operands, {&wait, 1});
      const Event after = plan.enqueue(second.queue(), second.operands);
      CHECK(cl::Event(held.get(), true).getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
      gate.setStatus(CL_COMPLETE);
      held.wait();
      after.wait();
      CHECK(first.is_updated());
      CHECK(second.is_updated());
    }
    SmallUpdate call(300, 90);
    call.operands.event = false;
    call.run();
    CHECK(call.is_updated());
  }

  TEST_CASE("explanations list the products") {
    const Explanation whole = SyrkPlan(shared_engine(), {.n = 40, .k = 30}, plainest).explanation();
    CHECK(whole.problem == "syrk f32 40x30");
    CHECK(whole.variant.empty());
    CHECK(mentions(whole.reason, "1 diagonal block of at most 40 rows"));
    REQUIRE(whole.parts.size() == 1);
    CHECK(whole.parts[0].problem.starts_with("gemm f32 40x40x30"));
    CHECK(whole.parts[0].variant == "naive");
    const Explanation large = GemmtPlan(shared_engine(), {.n = 1024, .k = 1024}, plainest).explanation();
    CHECK(mentions(large.reason, "diagonal blocks of at most"));
    CHECK(large.parts.size() > 1);
    CHECK(mentions(SyrkPlan(shared_engine(), {}).explanation().reason, "nothing to compute"));
    CHECK(mentions(SyrkPlan(shared_engine(), {.n = 4}).explanation().reason, "k is 0"));
  }

  TEST_CASE("rows more than 2^31 elements apart") {
    const SmallUpdate of(2, 1);
    const std::uint64_t apart = std::uint64_t{1} << 31, bytes = 4 * (apart + 16);
    if (shared_engine().profile().max_allocation_bytes < bytes)
      return count_skip("syrk past 2^31 elements", "the device allocates less at once");
    const cl::Buffer far(of.context, CL_MEM_READ_WRITE, bytes);
    syrk(shared_engine(), of.queue(), {.n = 2, .k = 1, .ldc = apart}, {.alpha = 4, .a = {of.a()}, .c = {far(), 3}}, {},
         plainest)
        .wait();
    std::vector<float> row(2);
    of.queue.enqueueReadBuffer(far, CL_TRUE, 4 * (3 + apart), 8, row.data());
    CHECK(row == std::vector<float>{4, 4});
    count_cases();
  }
}

}  // namespace tilewright::test
