// Overlaps of every pair of operands of a transposition and of a sum in one buffer, compared with sets of elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/run_report.hpp"
#include "tilewright/matrix_add.hpp"
#include "tilewright/transpose.hpp"

namespace tilewright::test {
namespace {

detail::StoredMatrix stored_as(PairDraw& draw, Layout layout, Transpose trans, std::uint64_t m, std::uint64_t n) {
  return trans == Transpose::no ? draw.matrix(layout, m, n) : draw.matrix(layout, n, m);
}

// The pairs of operands that matrix_add() accepts if they coincide.
std::vector<std::pair<std::size_t, std::size_t>> sums_in_place(const MatrixAddProblem& p) {
  const std::uint64_t rows = p.layout == Layout::row_major ? p.m : p.n;
  const auto is_like_c = [&](Transpose trans, std::uint64_t ld, std::uint64_t stride) {
    return trans == Transpose::no && (rows == 1 || ld == p.ldc) && (p.batch.count == 1 || stride == p.batch.stride_c);
  };
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (is_like_c(p.trans_a, p.lda, p.batch.stride_a)) pairs.emplace_back(0, 2);
  if (is_like_c(p.trans_b, p.ldb, p.batch.stride_b)) pairs.emplace_back(1, 2);
  return pairs;
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of a transposition") {
    PairDraw draw(311);
    for (int round = 0; round < 8; ++round) {
      draw.new_pitch();
      const bool is_batch = round % 2 == 1;
      TransposeProblem p{
          .layout = draw.layout(), .trans = draw.trans(), .m = 1 + draw.below(5), .n = 1 + draw.below(5)};
      const detail::StoredMatrix a = draw.matrix(p.layout, p.m, p.n);
      const detail::StoredMatrix b = stored_as(draw, p.layout, p.trans, p.m, p.n);
      p.lda = a.ld;
      p.ldb = b.ld;
      p.offset_alignment = 1;
      if (is_batch) p.batch = {.count = 3, .stride_a = draw.stride(a, 3, true), .stride_b = draw.stride(b, 3, false)};
      const TransposePlan plan(shared_engine(), p);
      check_operand_pairs(
          {.what = "transpose",
           .operands = {pair_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                        pair_operand<float>(OperandName::b, b, true, p.batch.count, p.batch.stride_b)},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue, {.alpha = 2, .a = refs[0], .b = refs[1]}, waits);
               }},
          static_cast<std::uint64_t>(round));
    }
    count_kernel_of("transpose");
  }

  TEST_CASE("a transposition in place and its workspace") {
    const TransposePlan plan(shared_engine(), {.m = 12, .n = 9, .in_place = true, .offset_alignment = 1});
    REQUIRE(plan.workspace_bytes() > 0);
    check_operand_pairs(
        {.what = "transpose in place",
         .operands = {pair_operand<float>(OperandName::a, {1, 108, 108}, true),
                      workspace_operand(plan.workspace_bytes())},
         .call =
             [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
               plan.enqueue(queue, {.a = refs[0], .workspace = {refs[1].buffer, refs[1].offset}}, waits);
             }},
        0);
  }

  TEST_CASE("each pair of a sum") {
    PairDraw draw(312);
    for (int round = 0; round < 8; ++round) {
      draw.new_pitch();
      MatrixAddProblem p{.layout = draw.layout(),
                         .trans_a = draw.trans(),
                         .trans_b = draw.trans(),
                         .m = 1 + draw.below(5),
                         .n = 1 + draw.below(5)};
      const detail::StoredMatrix a = stored_as(draw, p.layout, p.trans_a, p.m, p.n),
                                 b = stored_as(draw, p.layout, p.trans_b, p.m, p.n),
                                 c = draw.matrix(p.layout, p.m, p.n);
      p.lda = a.ld;
      p.ldb = b.ld;
      p.ldc = c.ld;
      if (round % 2 == 1)
        p.batch = {.count = 2,
                   .stride_a = draw.stride(a, 2, true),
                   .stride_b = draw.stride(b, 2, true),
                   .stride_c = draw.stride(c, 2, false)};
      const MatrixAddPlan plan(shared_engine(), p);
      check_operand_pairs(
          {.what = "matrix_add",
           .operands = {pair_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                        pair_operand<float>(OperandName::b, b, false, p.batch.count, p.batch.stride_b),
                        pair_operand<float>(OperandName::c, c, true, p.batch.count, p.batch.stride_c)},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue, {.alpha = 2, .a = refs[0], .beta = 3, .b = refs[1], .c = refs[2]}, waits);
               },
           .in_place = sums_in_place(p)},
          static_cast<std::uint64_t>(round));
    }
  }
}

}  // namespace tilewright::test
