// Every pair of operands of symv, trmv, syr and syr2 in one buffer, by comparison with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/run_report.hpp"
#include "tilewright/symv.hpp"
#include "tilewright/syr.hpp"
#include "tilewright/trmv.hpp"

namespace tilewright::test {
namespace {

const Choice by_rows{"rows", {{"groups", 2}}};

using Refs = std::span<const MatrixRef>;
using Waits = std::span<const cl_event>;

std::int64_t drawn_increment(PairDraw& draw, const detail::StoredMatrix& vector) {
  return static_cast<std::int64_t>(vector.ld) * (draw.below(3) == 0 ? -1 : 1);
}

Uplo drawn_uplo(PairDraw& draw) { return draw.flip() ? Uplo::lower : Uplo::upper; }

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of symv and its workspace") {
    PairDraw draw(361);
    for (std::uint64_t round = 0; round < 4; ++round) {
      draw.new_pitch();
      SymvProblem p{.layout = draw.layout(), .uplo = drawn_uplo(draw), .n = 1 + draw.below(6)};
      const detail::StoredMatrix a = draw.matrix(p.layout, p.n, p.n), x = draw.vector(p.n, 10),
                                 y = draw.vector(p.n, 10);
      p.lda = a.ld;
      p.incx = drawn_increment(draw, x);
      p.incy = drawn_increment(draw, y);
      p.offset_alignment = 1;
      if (round % 2 == 1)
        p.batch = {.count = 2,
                   .stride_a = draw.stride(a, 2, true),
                   .stride_x = draw.stride(x, 2, true),
                   .stride_y = draw.stride(y, 2, false)};
      const SymvPlan plan(shared_engine(), p, by_rows);
      check_operand_pairs({.what = "symv",
                           .operands = {pair_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                                        pair_operand<float>(OperandName::x, x, false, p.batch.count, p.batch.stride_x),
                                        pair_operand<float>(OperandName::y, y, true, p.batch.count, p.batch.stride_y),
                                        workspace_operand(plan.workspace_bytes())},
                           .call =
                               [&](cl_command_queue queue, Refs refs, Waits waits) {
                                 plan.enqueue(queue,
                                              {.alpha = 2,
                                               .a = refs[0],
                                               .x = refs[1],
                                               .beta = 3,
                                               .y = refs[2],
                                               .workspace = {refs[3].buffer, refs[3].offset}},
                                              waits);
                               }},
                          round);
    }
    count_kernel_of("symv");
  }

  TEST_CASE("each pair of trmv and its workspace") {
    PairDraw draw(362);
    for (std::uint64_t round = 0; round < 4; ++round) {
      draw.new_pitch();
      TrmvProblem p{.layout = draw.layout(), .uplo = drawn_uplo(draw), .trans = draw.trans(), .n = 1 + draw.below(6)};
      const detail::StoredMatrix a = draw.matrix(p.layout, p.n, p.n), x = draw.vector(p.n, 10);
      p.lda = a.ld;
      p.incx = drawn_increment(draw, x);
      p.offset_alignment = 1;
      if (round % 2 == 1)
        p.batch = {.count = 3, .stride_a = draw.stride(a, 3, true), .stride_x = draw.stride(x, 3, false)};
      const TrmvPlan plan(shared_engine(), p, by_rows);
      check_operand_pairs({.what = "trmv",
                           .operands = {pair_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                                        pair_operand<float>(OperandName::x, x, true, p.batch.count, p.batch.stride_x),
                                        workspace_operand(plan.workspace_bytes())},
                           .call =
                               [&](cl_command_queue queue, Refs refs, Waits waits) {
                                 plan.enqueue(
                                     queue, {.a = refs[0], .x = refs[1], .workspace = {refs[2].buffer, refs[2].offset}},
                                     waits);
                               }},
                          round);
    }
    count_kernel_of("trmv");
  }

  TEST_CASE("each pair of syr2 and its workspace") {
    PairDraw draw(363);
    for (std::uint64_t round = 0; round < 4; ++round) {
      draw.new_pitch();
      Syr2Problem p{.layout = draw.layout(), .uplo = drawn_uplo(draw), .n = 2 + draw.below(5), .incx = 2};
      const detail::StoredMatrix a = draw.matrix(p.layout, p.n, p.n), y = draw.vector(p.n, 10), x{p.n, 1, 2};
      p.lda = a.ld;
      p.incy = drawn_increment(draw, y);
      p.offset_alignment = 1;
      if (round % 2 == 1)
        p.batch = {.count = 2,
                   .stride_a = draw.stride(a, 2, false),
                   .stride_x = draw.stride(x, 2, true),
                   .stride_y = draw.stride(y, 2, true)};
      const Syr2Plan plan(shared_engine(), p, by_rows);
      check_operand_pairs({.what = "syr2",
                           .operands = {pair_operand<float>(OperandName::x, x, false, p.batch.count, p.batch.stride_x),
                                        pair_operand<float>(OperandName::y, y, false, p.batch.count, p.batch.stride_y),
                                        pair_operand<float>(OperandName::a, a, true, p.batch.count, p.batch.stride_a),
                                        workspace_operand(plan.workspace_bytes())},
                           .call =
                               [&](cl_command_queue queue, Refs refs, Waits waits) {
                                 plan.enqueue(queue,
                                              {.alpha = 2,
                                               .x = refs[0],
                                               .y = refs[1],
                                               .a = refs[2],
                                               .workspace = {refs[3].buffer, refs[3].offset}},
                                              waits);
                               }},
                          round);
    }
    count_kernel_of("syr2");
  }

  TEST_CASE("each pair of syr") {
    PairDraw draw(364);
    for (std::uint64_t round = 0; round < 4; ++round) {
      draw.new_pitch();
      SyrProblem p{.layout = draw.layout(), .uplo = drawn_uplo(draw), .n = 1 + draw.below(6)};
      const detail::StoredMatrix a = draw.matrix(p.layout, p.n, p.n), x = draw.vector(p.n, 10);
      p.lda = a.ld;
      p.incx = drawn_increment(draw, x);
      if (round % 2 == 1)
        p.batch = {.count = 2, .stride_a = draw.stride(a, 2, false), .stride_x = draw.stride(x, 2, true)};
      check_operand_pairs({.what = "syr",
                           .operands = {pair_operand<float>(OperandName::x, x, false, p.batch.count, p.batch.stride_x),
                                        pair_operand<float>(OperandName::a, a, true, p.batch.count, p.batch.stride_a)},
                           .call =
                               [&](cl_command_queue queue, Refs refs, Waits waits) {
                                 syr(shared_engine(), queue, p, {.alpha = 2, .x = refs[0], .a = refs[1]}, waits);
                               }},
                          round);
    }
    count_kernel_of("syr");
  }
}

}  // namespace tilewright::test
