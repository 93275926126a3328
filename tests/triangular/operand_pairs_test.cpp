// Every pair of operands of trsm and trsv in one buffer, by comparison with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include "support/triangular_pairs.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::test {

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of trsm and its workspace") {
    check_triangular_pairs<TrsmPlan, TrsmProblem>("trsm", 351, true, 17);
  }

  TEST_CASE("each pair of trsm with few right-hand sides") {
    const bool is_one_launch = shared_engine().profile().type == DeviceType::cpu;
    check_triangular_pairs<TrsmPlan, TrsmProblem>("trsm", 353, !is_one_launch);
  }

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
      // CPUs need a workspace only for a copy of a reversed vector.
      const bool needs_workspace = p.n > 1 && p.incx < 0;
      REQUIRE((plan.workspace_bytes() > 0) == (needs_workspace || shared_engine().profile().type != DeviceType::cpu));
      std::vector<PairOperand> operands{
          square_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
          pair_operand<float>(OperandName::x, x, true, p.batch.count, p.batch.stride_x)};
      if (plan.workspace_bytes() > 0) operands.push_back(workspace_operand(plan.workspace_bytes()));
      check_operand_pairs(
          {.what = "trsv",
           .operands = operands,
           .call =
               [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
                 TrsvOperands call{.a = refs[0], .x = refs[1]};
                 if (refs.size() > 2) call.workspace = {refs[2].buffer, refs[2].offset};
                 plan.enqueue(queue, call, waits);
               }},
          round);
    }
  }
}

}  // namespace tilewright::test
