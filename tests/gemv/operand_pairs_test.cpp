// Each pair of operands of gemv and ger in one buffer: overlaps are found by comparing sets of elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <vector>

#include "support/run_report.hpp"
#include "tilewright/gemv.hpp"

namespace tilewright::test {
namespace {

const Choice plain_gemm{"naive", {}};

std::int64_t draw_increment(PairDraw& draw, const detail::StoredMatrix& vector) {
  return static_cast<std::int64_t>(vector.ld) * (draw.below(3) == 0 ? -1 : 1);
}

struct GemvShape {
  GemvProblem problem{};
  detail::StoredMatrix a{}, x{}, y{};
};

GemvShape draw_gemv(PairDraw& draw, bool is_batch) {
  draw.new_pitch();
  GemvShape s;
  GemvProblem& p = s.problem;
  p = {.layout = draw.layout(),
       .trans = draw.trans(),
       .m = 1 + draw.below(5),
       .n = 1 + draw.below(5),
       .offset_alignment = 1};
  const bool is_stored = p.trans == Transpose::no;
  s.a = draw.matrix(p.layout, p.m, p.n);
  s.x = draw.vector(is_stored ? p.n : p.m, 10);
  s.y = draw.vector(is_stored ? p.m : p.n, 10);
  p.lda = s.a.ld;
  p.incx = draw_increment(draw, s.x);
  p.incy = draw_increment(draw, s.y);
  if (is_batch)
    p.batch = {.count = 2,
               .stride_a = draw.stride(s.a, 2, true),
               .stride_x = draw.stride(s.x, 2, true),
               .stride_y = draw.stride(s.y, 2, false)};
  return s;
}

template <class T>
std::vector<PairOperand> operands_of(const GemvShape& s) {
  const Batch& batch = s.problem.batch;
  return {pair_operand<T>(OperandName::a, s.a, false, batch.count, batch.stride_a),
          pair_operand<T>(OperandName::x, s.x, false, batch.count, batch.stride_x),
          pair_operand<T>(OperandName::y, s.y, true, batch.count, batch.stride_y)};
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of operands of gemv") {
    PairDraw draw(331);
    for (std::uint64_t round = 0; round < 8; ++round) {
      const GemvShape s = draw_gemv(draw, round % 2 == 1);
      const GemvPlan plan(shared_engine(), s.problem, plain_gemm);
      check_operand_pairs(
          {.what = "gemv",
           .operands = operands_of<float>(s),
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue, {.alpha = 2, .a = refs[0], .x = refs[1], .beta = 3, .y = refs[2]}, waits);
               }},
          round);
    }
    count_kernel_of("gemv");
  }

  TEST_CASE("each pair of operands of a complex gemv, and its workspace") {
    PairDraw draw(332);
    for (std::uint64_t round = 0; round < 4; ++round) {
      GemvShape s = draw_gemv(draw, round == 3);
      s.problem.type = DataType::c64;
      const GemvPlan plan(shared_engine(), s.problem, plain_gemm);
      REQUIRE(plan.workspace_bytes() > 0);
      std::vector<PairOperand> operands = operands_of<std::complex<float>>(s);
      operands.push_back(workspace_operand(plan.workspace_bytes()));
      check_operand_pairs(
          {.what = "complex gemv",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue,
                              {.a = refs[0], .x = refs[1], .y = refs[2], .workspace = {refs[3].buffer, refs[3].offset}},
                              waits);
               }},
          round);
    }
  }

  TEST_CASE("each pair of operands of ger") {
    PairDraw draw(333);
    for (std::uint64_t round = 0; round < 6; ++round) {
      draw.new_pitch();
      GerProblem p{.layout = draw.layout(), .m = 1 + draw.below(5), .n = 1 + draw.below(5)};
      const detail::StoredMatrix x = draw.vector(p.m, 10), y = draw.vector(p.n, 10),
                                 a = draw.matrix(p.layout, p.m, p.n);
      p.incx = draw_increment(draw, x);
      p.incy = draw_increment(draw, y);
      p.lda = a.ld;
      p.offset_alignment = 1;
      if (round % 2 == 1)
        p.batch = {.count = 2,
                   .stride_a = draw.stride(a, 2, false),
                   .stride_x = draw.stride(x, 2, true),
                   .stride_y = draw.stride(y, 2, true)};
      check_operand_pairs(
          {.what = "ger",
           .operands = {pair_operand<float>(OperandName::x, x, false, p.batch.count, p.batch.stride_x),
                        pair_operand<float>(OperandName::y, y, false, p.batch.count, p.batch.stride_y),
                        pair_operand<float>(OperandName::a, a, true, p.batch.count, p.batch.stride_a)},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 ger(shared_engine(), queue, p, {.alpha = 2, .x = refs[0], .y = refs[1], .a = refs[2]}, waits,
                     plain_gemm);
               }},
          round);
    }
  }
}

}  // namespace tilewright::test
