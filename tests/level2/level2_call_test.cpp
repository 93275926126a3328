// Calls of symv, trmv, syr and syr2: errors that name the caller's operands, choices, explanations and lent workspaces.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/expect_error.hpp"
#include "support/run_report.hpp"
#include "tilewright/symv.hpp"
#include "tilewright/syr.hpp"
#include "tilewright/trmv.hpp"

namespace tilewright::test {
namespace {

// Valid operands of order 5. The buffers end with them.
struct SmallTriangle {
  cl::Context context = shared_context();
  cl::CommandQueue queue = make_queue();
  cl::Buffer a{context, CL_MEM_READ_WRITE, 4 * 5 * 5}, x{context, CL_MEM_READ_WRITE, 4 * (2 * 4 + 1)},
      y{context, CL_MEM_READ_WRITE, 4 * (3 * 4 + 1)};
  SymvProblem problem{.n = 5, .incx = 2, .incy = -3};
  SymvOperands operands{.a = {a()}, .x = {x()}, .y = {y()}};

  Event run() const { return symv(shared_engine(), queue(), problem, operands); }
  std::string refused(ErrorCode code, OperandName operand) const {
    return expect_error(code, operand, [&] { run().wait(); });
  }
};

}  // namespace

TEST_SUITE("level2 calls") {
  TEST_CASE("invalid problems") {
    SmallTriangle call;
    CHECK_NOTHROW(call.run().wait());
    const SymvProblem right = call.problem;
    call.problem.incx = 0;
    CHECK(mentions(call.refused(ErrorCode::invalid_increment, OperandName::x), "incx is 0"));
    call.problem = right;
    call.problem.incy = 0;
    CHECK(mentions(call.refused(ErrorCode::invalid_increment, OperandName::y), "incy is 0"));
    call.problem = right;
    call.problem.lda = 4;
    CHECK(mentions(call.refused(ErrorCode::invalid_leading_dimension, OperandName::a), "lda is 4"));
    call.problem = right;
    call.problem.incy = std::int64_t{1} << 62;
    CHECK(mentions(call.refused(ErrorCode::size_overflow, OperandName::y),
                   "y of 5 elements reaches past what 64-bit byte offsets can address: incy is 4611686018427387904"));
    for (const std::uint64_t n : {0U, 1U}) {
      call.problem.n = n;
      CHECK_NOTHROW(call.run().wait());
    }
    call.problem = right;
    call.problem.batch = {.count = 3, .stride_y = std::uint64_t{1} << 62};
    CHECK(
        mentions(call.refused(ErrorCode::size_overflow, OperandName::y), "3 vectors y, 4611686018427387904 elements"));
    call.problem = right;
    call.problem.batch = {.count = 2, .stride_y = 6};
    CHECK(mentions(call.refused(ErrorCode::overlapping_operands, OperandName::y), "stride_y is 6"));
    call.problem.batch = {.count = 2, .stride_b = 6, .stride_y = 20};
    expect_error(ErrorCode::invalid_batch, [&] { call.run(); });
    call.problem.batch = {.count = 2, .stride_y = 20, .by_offsets = true};
    expect_error(ErrorCode::invalid_batch, [&] { call.run(); });
    call.problem = right;
    call.problem.offset_alignment = 3;
    expect_error(ErrorCode::invalid_offset, [&] { SymvPlan(shared_engine(), call.problem); });
    for (const DataType type : {DataType::f16, DataType::i8, DataType::i32})
      expect_error(ErrorCode::unsupported_type, [&] { SymvPlan(shared_engine(), {.type = type, .n = 5}); });
    expect_error(ErrorCode::invalid_batch, [&] { TrmvPlan(shared_engine(), {.n = 5, .batch = {.stride_y = 1}}); });
    expect_error(ErrorCode::invalid_batch, [&] { SyrPlan(shared_engine(), {.n = 5, .batch = {.stride_y = 1}}); });
    CHECK(mentions(expect_error(ErrorCode::overlapping_operands, OperandName::a,
                                [&] { Syr2Plan(shared_engine(), {.n = 5, .batch = {.count = 2}}); }),
                   "stride_a is 0"));
    count_cases();
  }

  TEST_CASE("invalid operands") {
    SmallTriangle call;
    const SymvOperands right = call.operands;
    call.operands.a = call.operands.x = call.operands.y = {};
    CHECK(mentions(call.refused(ErrorCode::null_object, OperandName::a), "the buffer of A is null"));
    call.operands.a = right.a;
    CHECK(mentions(call.refused(ErrorCode::null_object, OperandName::x), "the buffer of x is null"));
    call.operands.x = {call.x(), 1};
    CHECK(mentions(call.refused(ErrorCode::buffer_too_small, OperandName::x), "x takes 9"));
    call.operands = right;
    call.operands.y = {call.x()};
    call.problem.incy = 2;
    CHECK(mentions(call.refused(ErrorCode::overlapping_operands, OperandName::y), "y shares elements with x"));
    call.problem.incy = -3;
    const cl::Buffer unreadable(call.context, CL_MEM_WRITE_ONLY, 52);
    call.operands.y = {unreadable()};
    CHECK_NOTHROW(call.run().wait());
    call.operands.beta = 1;
    CHECK(mentions(call.refused(ErrorCode::invalid_buffer, OperandName::y), "it is read, as beta is not 0"));
    call.operands = right;
    call.operands.alpha = {1, 1};
    call.refused(ErrorCode::invalid_scalar, OperandName::none);
    expect_error(ErrorCode::null_object, OperandName::none,
                 [&] { symv(shared_engine(), nullptr, call.problem, call.operands); });
    // With alpha = 0 the operands that are not read may be null.
    call.operands = {.alpha = 0, .y = right.y};
    CHECK_NOTHROW(call.run().wait());
    call.operands.beta = 1;
    CHECK_NOTHROW(call.run().wait());
    CHECK_NOTHROW(syr(shared_engine(), call.queue(), {.n = 5}, {.alpha = 0, .a = right.a}).wait());
    CHECK(mentions(expect_error(ErrorCode::null_object, OperandName::x,
                                [&] { syr(shared_engine(), call.queue(), {.n = 5}, {.a = right.a}); }),
                   "the buffer of x is null"));
    CHECK(mentions(expect_error(ErrorCode::overlapping_operands, OperandName::a,
                                [&] { syr(shared_engine(), call.queue(), {.n = 5}, {.x = right.a, .a = right.a}); }),
                   "A shares elements with x"));
    CHECK_NOTHROW(syr2(shared_engine(), call.queue(), {.n = 5}, {.x = right.x, .y = right.x, .a = right.a}).wait());
    CHECK(mentions(expect_error(ErrorCode::overlapping_operands, OperandName::x,
                                [&] { trmv(shared_engine(), call.queue(), {.n = 5}, {.a = right.a, .x = right.a}); }),
                   "x shares elements with A"));
    const TrmvPlan plan(shared_engine(), {.n = 3});
    CHECK(mentions(expect_error(ErrorCode::invalid_offset, OperandName::x,
                                [&] {
                                  plan.enqueue(call.queue(), {.a = right.a, .x = {call.x(), 4}});
                                }),
                   "the offset of x is 4"));
    // An empty problem needs no operands.
    CHECK_NOTHROW(symv(shared_engine(), call.queue(), {}, {}).wait());
    CHECK_NOTHROW(trmv(shared_engine(), call.queue(), {.n = 5, .batch = {.count = 0}}, {}).wait());
    CHECK_NOTHROW(syr2(shared_engine(), call.queue(), {}, {}).wait());
    count_cases();
  }

  TEST_CASE("choices and explanations") {
    const Engine& e = shared_engine();
    CHECK(mentions(expect_error(ErrorCode::unknown_variant,
                                [&] {
                                  SymvPlan(e, {.n = 5}, {"naive", {}});
                                }),
                   "the variants are: rows, tiles"));
    expect_error(ErrorCode::unknown_parameter, [&] { SymvPlan(e, {.n = 5}, {"rows", {{"strip", 64}}}); });
    expect_error(ErrorCode::unknown_parameter, [&] { SyrPlan(e, {.n = 5}, {"tiles", {{"groups", 3}}}); });
    CHECK(mentions(expect_error(ErrorCode::unknown_parameter,
                                [&] {
                                  SymvPlan(e, {.n = 5}, {"tiles", {{"strip", 64}}});
                                }),
                   "it has groups"));
    for (const char* variant : {"rows", "tiles"})
      for (const std::int64_t groups : {0, 4097, -1})
        expect_error(ErrorCode::invalid_configuration, [&] { TrmvPlan(e, {.n = 5}, {variant, {{"groups", groups}}}); });
    const Explanation rows = SymvPlan(e, {.n = 300}, {"rows", {{"groups", 3}}}).explanation();
    CHECK(rows.problem == "symv f32 300");
    CHECK(rows.variant == "rows");
    CHECK(rows.configuration == Configuration{{"groups", 3}});
    const Explanation tiles = Syr2Plan(e, {.n = 300}, {"tiles", {}}).explanation();
    CHECK(tiles.variant == "tiles");
    CHECK(tiles.configuration.empty());
    // 15 tiles: 7 groups of two and one of a single tile.
    const Explanation product = SymvPlan(e, {.n = 300}, {"tiles", {{"groups", 9}}}).explanation();
    CHECK(product.configuration == Configuration{{"groups", 8}});
    const bool is_cpu = e.profile().type == DeviceType::cpu;
    CHECK((TrmvPlan(e, {.n = 300}).explanation().variant == "rows") == is_cpu);
    CHECK(SyrPlan(e, {}).explanation().reason == "there is nothing to compute");
    count_cases();
  }

  TEST_CASE("more groups than rows, and lent workspaces") {
    const SmallTriangle call;
    const Choice choices[] = {{"rows", {{"groups", 7}}}, {"tiles", {{"groups", 7}}}};
    for (const Choice& choice : choices) {
      const std::vector<float> a(25, 1.0F), x{1, 2, 3, 4, 5};
      call.queue.enqueueWriteBuffer(call.a, CL_TRUE, 0, 100, a.data());
      call.queue.enqueueWriteBuffer(call.x, CL_TRUE, 0, 20, x.data());
      const SymvPlan plan(shared_engine(), {.n = 5}, choice);
      const cl::Buffer workspace(call.context, CL_MEM_READ_WRITE, plan.workspace_bytes() + 256);
      plan.enqueue(call.queue(), {.a = {call.a()}, .x = {call.x()}, .y = {call.y()}, .workspace = {workspace(), 256}})
          .wait();
      std::vector<float> y(5);
      call.queue.enqueueReadBuffer(call.y, CL_TRUE, 0, 20, y.data());
      CHECK(y == std::vector<float>(5, 15.0F));
      count_cases();
    }
  }
}

}  // namespace tilewright::test
