// Every pair of operands of symm in one buffer, by comparison with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include "support/run_report.hpp"
#include "tilewright/symm.hpp"

namespace tilewright::test {

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of symm and its workspace") {
    PairDraw draw(371);
    for (std::uint64_t round = 0; round < 6; ++round) {
      draw.new_pitch();
      SymmProblem p{.layout = draw.layout(),
                    .side = draw.flip() ? Side::left : Side::right,
                    .uplo = draw.flip() ? Uplo::lower : Uplo::upper,
                    .m = 1 + draw.below(5),
                    .n = 1 + draw.below(5)};
      const std::uint64_t order = p.side == Side::left ? p.m : p.n;
      const detail::StoredMatrix a = draw.matrix(p.layout, order, order), b = draw.matrix(p.layout, p.m, p.n),
                                 c = draw.matrix(p.layout, p.m, p.n);
      p.lda = a.ld;
      p.ldb = b.ld;
      p.ldc = c.ld;
      p.offset_alignment = 1;
      if (round % 2 == 1)
        p.batch = {.count = 3,
                   .stride_a = draw.stride(a, 3, true),
                   .stride_b = draw.stride(b, 3, true),
                   .stride_c = draw.stride(c, 3, false)};
      const SymmPlan plan(shared_engine(), p, {"naive", {}});
      REQUIRE(plan.workspace_bytes() > 0);
      check_operand_pairs(
          {.what = "symm",
           .operands = {square_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                        pair_operand<float>(OperandName::b, b, false, p.batch.count, p.batch.stride_b),
                        pair_operand<float>(OperandName::c, c, true, p.batch.count, p.batch.stride_c),
                        workspace_operand(plan.workspace_bytes())},
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 plan.enqueue(queue,
                              {.a = refs[0], .b = refs[1], .c = refs[2], .workspace = {refs[3].buffer, refs[3].offset}},
                              waits);
               }},
          round);
    }
    count_kernel_of("symm");
  }
}

}  // namespace tilewright::test
