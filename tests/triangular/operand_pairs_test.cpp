// Every pair of operands of trsm and trsv in one buffer, by comparison with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include "support/triangular_pairs.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::test {

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of trsm and its workspace") { check_triangular_pairs<TrsmPlan, TrsmProblem>("trsm", 351, true); }

  TEST_CASE("each pair of trsv and its workspace") {
    PairDraw draw(352);
    for (std::uint64_t round = 0; round < 4; ++round) {
      draw.new_pitch();
      TrsvProblem p{.layout = draw.layout(), .trans = draw.trans(), .n = 1 + draw.below(5)};
      const detail::StoredMatrix a = draw.matrix(p.layout, p.n, p.n), x = draw.vector(p.n, 12);
      p.lda = a.ld;
      p.incx = static_cast<std::int64_t>(x.ld) * (round < 2 ? 1 : -1);
      p.offset_alignment = 1;
      if (round % 2 == 1)
        p.batch = {.count = 2, .stride_a = draw.stride(a, 2, true), .stride_x = draw.stride(x, 2, false)};
      const TrsvPlan plan(shared_engine(), p, {"naive", {}});
      REQUIRE(plan.workspace_bytes() > 0);
      check_operand_pairs(
          {.what = "trsv",
           .operands = {square_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                        pair_operand<float>(OperandName::x, x, true, p.batch.count, p.batch.stride_x),
                        workspace_operand(plan.workspace_bytes())},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue, {.a = refs[0], .x = refs[1], .workspace = {refs[2].buffer, refs[2].offset}},
                              waits);
               }},
          round);
    }
  }
}

}  // namespace tilewright::test
