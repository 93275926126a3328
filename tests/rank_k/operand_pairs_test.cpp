// Every pair of operands of rank-k updates in one buffer, by comparison with the sets of their elements. C is its whole
// square, with the triangle that is not used.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <vector>

#include "support/run_report.hpp"
#include "tilewright/rank_k.hpp"

namespace tilewright::test {
namespace {

const Choice plain_products{"naive", {}};

template <class Problem>
void draw_form(PairDraw& draw, Problem& p) {
  draw.new_pitch();
  p.layout = draw.layout();
  p.uplo = draw.flip() ? Uplo::lower : Uplo::upper;
  p.n = 1 + draw.below(5);
  p.k = 1 + draw.below(4);
  p.offset_alignment = 1;
}

detail::StoredMatrix draw_factor(PairDraw& draw, Layout layout, Transpose trans, std::uint64_t n, std::uint64_t k) {
  return trans == Transpose::no ? draw.matrix(layout, n, k) : draw.matrix(layout, k, n);
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of syrk and its workspace") {
    PairDraw draw(391);
    for (std::uint64_t round = 0; round < 6; ++round) {
      SyrkProblem p;
      draw_form(draw, p);
      p.trans = draw.trans();
      const detail::StoredMatrix a = draw_factor(draw, p.layout, p.trans, p.n, p.k),
                                 c = draw.matrix(p.layout, p.n, p.n);
      p.lda = a.ld;
      p.ldc = c.ld;
      if (round % 2 == 1)
        p.batch = {.count = 3, .stride_a = draw.stride(a, 3, true), .stride_c = draw.stride(c, 3, false)};
      const SyrkPlan plan(shared_engine(), p, plain_products);
      REQUIRE(plan.workspace_bytes() > 0);
      check_operand_pairs(
          {.what = "syrk",
           .operands = {pair_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                        pair_operand<float>(OperandName::c, c, true, p.batch.count, p.batch.stride_c),
                        workspace_operand(plan.workspace_bytes())},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(
                     queue,
                     {.alpha = 2, .a = refs[0], .beta = 3, .c = refs[1], .workspace = {refs[2].buffer, refs[2].offset}},
                     waits);
               }},
          round);
    }
    count_kernel_of("syrk");
  }

  TEST_CASE("each pair of syr2k and its workspace") {
    PairDraw draw(392);
    for (std::uint64_t round = 0; round < 4; ++round) {
      Syr2kProblem p{.type = DataType::c64, .symmetry = Symmetry::hermitian};
      draw_form(draw, p);
      p.trans = draw.trans();
      const detail::StoredMatrix a = draw_factor(draw, p.layout, p.trans, p.n, p.k),
                                 b = draw_factor(draw, p.layout, p.trans, p.n, p.k),
                                 c = draw.matrix(p.layout, p.n, p.n);
      p.lda = a.ld;
      p.ldb = b.ld;
      p.ldc = c.ld;
      const Syr2kPlan plan(shared_engine(), p, plain_products);
      check_operand_pairs(
          {.what = "syr2k",
           .operands = {pair_operand<std::complex<float>>(OperandName::a, a),
                        pair_operand<std::complex<float>>(OperandName::b, b),
                        pair_operand<std::complex<float>>(OperandName::c, c, true),
                        workspace_operand(plan.workspace_bytes())},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue,
                              {.alpha = 2,
                               .a = refs[0],
                               .b = refs[1],
                               .beta = 3,
                               .c = refs[2],
                               .workspace = {refs[3].buffer, refs[3].offset}},
                              waits);
               }},
          round);
    }
  }

  TEST_CASE("each pair of gemmt and its workspace") {
    PairDraw draw(393);
    for (std::uint64_t round = 0; round < 4; ++round) {
      GemmtProblem p;
      draw_form(draw, p);
      p.trans_a = draw.trans();
      p.trans_b = draw.trans();
      const detail::StoredMatrix a = draw_factor(draw, p.layout, p.trans_a, p.n, p.k),
                                 b = draw_factor(draw, p.layout, p.trans_b, p.k, p.n),
                                 c = draw.matrix(p.layout, p.n, p.n);
      p.lda = a.ld;
      p.ldb = b.ld;
      p.ldc = c.ld;
      if (round % 2 == 1) p.batch = {2, draw.stride(a, 2, true), draw.stride(b, 2, true), draw.stride(c, 2, false)};
      const GemmtPlan plan(shared_engine(), p, plain_products);
      check_operand_pairs(
          {.what = "gemmt",
           .operands = {pair_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                        pair_operand<float>(OperandName::b, b, false, p.batch.count, p.batch.stride_b),
                        pair_operand<float>(OperandName::c, c, true, p.batch.count, p.batch.stride_c),
                        workspace_operand(plan.workspace_bytes())},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue,
                              {.alpha = 2,
                               .a = refs[0],
                               .b = refs[1],
                               .c = refs[2],
                               .workspace = {refs[3].buffer, refs[3].offset}},
                              waits);
               }},
          round);
    }
  }
}

}  // namespace tilewright::test
