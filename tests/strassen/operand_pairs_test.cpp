// Overlaps of every pair of operands of a Strassen product in one buffer, compared with sets of elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/run_report.hpp"
#include "tilewright/strassen.hpp"

namespace tilewright::test {

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of a Strassen product and its workspace") {
    PairDraw draw(381);
    for (std::uint64_t round = 0; round < 4; ++round) {
      draw.new_pitch();
      GemmProblem p{.layout = draw.layout(),
                    .trans_a = draw.trans(),
                    .trans_b = draw.trans(),
                    .m = 2 + draw.below(5),
                    .n = 2 + draw.below(5),
                    .k = 2 + draw.below(5),
                    .offset_alignment = 1};
      const bool a_is_stored = p.trans_a == Transpose::no, b_is_stored = p.trans_b == Transpose::no;
      const detail::StoredMatrix a = draw.matrix(p.layout, a_is_stored ? p.m : p.k, a_is_stored ? p.k : p.m),
                                 b = draw.matrix(p.layout, b_is_stored ? p.k : p.n, b_is_stored ? p.n : p.k),
                                 c = draw.matrix(p.layout, p.m, p.n);
      p.lda = a.ld;
      p.ldb = b.ld;
      p.ldc = c.ld;
      const StrassenPlan plan(shared_engine(), {.product = p, .levels = 1}, {"naive", {}});
      REQUIRE(plan.workspace_bytes() > 0);
      check_operand_pairs(
          {.what = "strassen",
           .operands = {pair_operand<float>(OperandName::a, a), pair_operand<float>(OperandName::b, b),
                        pair_operand<float>(OperandName::c, c, true), workspace_operand(plan.workspace_bytes())},
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
    count_kernel_of("strassen");
  }
}

}  // namespace tilewright::test
