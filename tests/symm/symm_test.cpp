// Calls of symm: errors, scalars, lent workspaces, explanations, and blocks that are expanded instead of A.
#include "tilewright/symm.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "verification/symm/symm_case.hpp"

namespace tilewright::test {
namespace {

const Choice plainest{"naive", {}};

// A right call, with buffers that end where their matrices end. A is 2 on the diagonal and 1 elsewhere, B is 1.
struct SmallSymm {
  explicit SmallSymm(std::uint64_t m = 5, std::uint64_t n = 7)
      : a(context, CL_MEM_READ_WRITE, 4 * m * m),
        b(context, CL_MEM_READ_WRITE, 4 * m * n),
        c(context, CL_MEM_READ_WRITE, 4 * m * n),
        problem{.m = m, .n = n},
        operands{.a = {a()}, .b = {b()}, .c = {c()}} {
    std::vector<float> values(m * m, std::nanf(""));
    for (std::uint64_t i = 0; i < m; ++i)
      for (std::uint64_t j = 0; j <= i; ++j) values[i * m + j] = i == j ? 2 : 1;
    queue.enqueueWriteBuffer(a, CL_TRUE, 0, 4 * m * m, values.data());
    write(b, 1);
    write(c, std::nanf(""));
  }

  void write(const cl::Buffer& buffer, float value) const {
    const std::vector<float> values(problem.m * problem.n, value);
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, 4 * values.size(), values.data());
  }
  Event run() const { return symm(shared_engine(), queue(), problem, operands, {}, plainest); }
  std::string rejected(ErrorCode code, OperandName operand) const {
    return expect_error(code, operand, [&] { run().wait(); });
  }
  bool has(float value) const {
    std::vector<float> values(problem.m * problem.n);
    queue.enqueueReadBuffer(c, CL_TRUE, 0, 4 * values.size(), values.data());
    count_cases();
    return values == std::vector<float>(values.size(), value);
  }
  bool is_right() const { return has(static_cast<float>(problem.m + 1)); }

  cl::Context context = shared_context();
  cl::CommandQueue queue = make_queue();
  cl::Buffer a, b, c;
  SymmProblem problem;
  SymmOperands operands;
};

}  // namespace

TEST_SUITE("symm calls") {
  TEST_CASE("problems that are invalid") {
    SmallSymm call;
    call.problem.lda = 4;
    CHECK(mentions(call.rejected(ErrorCode::invalid_leading_dimension, OperandName::a), "lda is 4"));
    call.problem.lda = 0;
    call.problem.ldb = 6;
    CHECK(mentions(call.rejected(ErrorCode::invalid_leading_dimension, OperandName::b), "ldb is 6"));
    call.problem.ldb = 0;
    call.problem.ldc = 6;
    CHECK(mentions(call.rejected(ErrorCode::invalid_leading_dimension, OperandName::c), "ldc is 6"));
    call.problem.ldc = 0;
    call.problem.batch = {.count = 2, .stride_c = 30};
    CHECK(mentions(call.rejected(ErrorCode::overlapping_operands, OperandName::c), "stride_c is 30"));
    call.problem.batch = {.count = 2, .stride_b = std::uint64_t{1} << 62, .stride_c = 35};
    call.rejected(ErrorCode::size_overflow, OperandName::b);
    call.problem.batch = {.stride_x = 1};
    call.rejected(ErrorCode::invalid_batch, OperandName::none);
    call.problem.batch = {};
    call.problem.offset_alignment = 3;
    expect_error(ErrorCode::invalid_offset, [&] { SymmPlan(shared_engine(), call.problem); });
    call.problem.offset_alignment = 16;
    for (const DataType type : {DataType::i8, DataType::u8, DataType::i32, static_cast<DataType>(99)}) {
      call.problem.type = type;
      call.rejected(ErrorCode::unsupported_type, OperandName::none);
    }
    call.problem.type = DataType::f32;
    CHECK_NOTHROW(call.run().wait());
    CHECK(call.is_right());
  }

  TEST_CASE("a choice must be valid even if no product uses it") {
    expect_error(ErrorCode::unknown_variant, [] { SymmPlan(shared_engine(), {}, {"no_such_variant", {}}); });
    CHECK_NOTHROW(SymmPlan(shared_engine(), {}, plainest));
    count_cases();
  }

  TEST_CASE("operands that do not fit") {
    SmallSymm call;
    const SymmOperands right = call.operands;
    call.operands.a = {};
    CHECK(mentions(call.rejected(ErrorCode::null_object, OperandName::a), "the buffer of A is null"));
    call.operands = right;
    call.operands.b = {};
    call.rejected(ErrorCode::null_object, OperandName::b);
    call.operands = right;
    call.operands.c = {};
    call.rejected(ErrorCode::null_object, OperandName::c);
    call.operands = right;
    call.operands.b.offset = 1;
    CHECK(mentions(call.rejected(ErrorCode::buffer_too_small, OperandName::b), "B takes 35"));
    call.operands = right;
    call.operands.c = {call.b()};
    CHECK(mentions(call.rejected(ErrorCode::overlapping_operands, OperandName::c), "C shares elements with B"));
    call.operands = right;
    call.operands.beta = {0, 1};
    call.rejected(ErrorCode::invalid_scalar, OperandName::none);
    call.operands = right;
    const SymmPlan plan(shared_engine(), call.problem, plainest);
    expect_error(ErrorCode::invalid_offset, OperandName::b, [&] {
      plan.enqueue(call.queue(), {.a = {call.a()}, .b = {call.b(), 8}, .c = {call.c()}});
    });
    CHECK_NOTHROW(call.run().wait());
    CHECK(call.is_right());
    call.operands = {};
    call.problem.n = 0;
    CHECK_NOTHROW(call.run().wait());
    call.operands.alpha = {1, 1};
    call.rejected(ErrorCode::invalid_scalar, OperandName::none);
    call.operands = {};
    call.problem = {.m = 5, .n = 7, .batch = {.count = 0}};
    CHECK_NOTHROW(call.run().wait());
  }

  TEST_CASE("alpha = 0 scales C, and A and B may be null; beta = 0 does not read C") {
    for (const std::uint64_t m : {5U, 1100U}) {  // the larger one expands blocks
      SmallSymm call(m, 2);
      call.run().wait();
      CHECK(call.is_right());
      call.operands.alpha = 0;
      call.operands.a = call.operands.b = {};
      call.operands.beta = 3;
      call.run().wait();
      CHECK(call.has(3 * static_cast<float>(m + 1)));
      call.write(call.c, std::nanf(""));
      call.operands.beta = 0;
      call.run().wait();
      CHECK(call.has(0));
    }
  }

  TEST_CASE("a lent workspace, and calls without an event") {
    SmallSymm call(40, 3);
    const SymmPlan plan(shared_engine(), call.problem, plainest);
    CHECK(plan.problem() == call.problem);
    const std::uint64_t bytes = plan.workspace_bytes();
    REQUIRE(bytes >= 40 * 40 * 4);
    const cl::Buffer lent(call.context, CL_MEM_READ_WRITE, bytes + 256);
    const auto enqueue = [&](WorkspaceRef workspace) {
      plan.enqueue(call.queue(),
                   {.a = {call.a()}, .b = {call.b()}, .c = {call.c()}, .workspace = workspace, .event = false});
    };
    enqueue({lent(), 256});
    CHECK(call.is_right());
    expect_error(ErrorCode::workspace_too_small, OperandName::workspace, [&] { enqueue({lent(), 512}); });
    expect_error(ErrorCode::invalid_workspace, OperandName::workspace, [&] { enqueue({lent(), 4}); });
    expect_error(ErrorCode::overlapping_workspace, OperandName::workspace, [&] {
      plan.enqueue(call.queue(), {.a = {call.a()}, .b = {call.b()}, .c = {lent()}, .workspace = {lent()}});
    });
  }

  TEST_CASE("explanations tell what is expanded") {
    const Explanation whole = SymmPlan(shared_engine(), {.m = 300, .n = 40}, plainest).explanation();
    CHECK(whole.problem == "symm f32 300x40");
    CHECK(mentions(whole.reason, "full matrix"));
    REQUIRE(whole.parts.size() == 1);
    CHECK(whole.parts[0].variant == "naive");
    const Explanation blocks =
        SymmPlan(shared_engine(), {.type = DataType::c64, .symmetry = Symmetry::hermitian, .m = 1100, .n = 1}, plainest)
            .explanation();
    CHECK(blocks.problem == "hemm c64 1100x1");
    CHECK(mentions(blocks.reason, "diagonal blocks of 256 rows"));
    CHECK(mentions(SymmPlan(shared_engine(), {}).explanation().reason, "nothing to compute"));
  }

  TEST_CASE("expanded diagonal blocks in every form") {
    for (const Side side : {Side::left, Side::right})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const DataType type : {DataType::f32, DataType::c64}) {
          const verification::SymmCase test{.symmetry = Symmetry::hermitian,
                                            .type = type,
                                            .side = side,
                                            .uplo = uplo,
                                            .m = side == Side::left ? 1100U : 3U,
                                            .n = side == Side::left ? 3U : 1100U,
                                            .alpha = -1.5,
                                            .beta = 2,
                                            .offsets = {1, 3, 2},
                                            .products = plainest};
          const std::string wrong = try_symm_case(shared_engine(), test);
          CHECK_MESSAGE(wrong.empty(), wrong);
          count_cases();
        }
    count_kernel_of("symm f32");
  }
}

}  // namespace tilewright::test
