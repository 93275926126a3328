// Pairs of operands of trsm and trmm, whose problems and operands have the same members.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/device_under_test.hpp"
#include "support/operand_pairs.hpp"
#include "support/run_report.hpp"
#include "tilewright/choice.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::test {

/// Draws problems, and checks each pair of a triangular A, a B that the call overwrites, and the workspace if the
/// operation needs one. B has at least `least_lines` columns, or rows if A is on the right.
template <class Plan, class Problem>
void check_triangular_pairs(const std::string& what, std::uint64_t seed, bool needs_workspace,
                            std::uint64_t least_lines = 1) {
  PairDraw draw(seed);
  for (std::uint64_t round = 0; round < 6; ++round) {
    draw.new_pitch();
    Problem p{.layout = draw.layout(),
              .side = draw.flip() ? Side::left : Side::right,
              .uplo = draw.flip() ? Uplo::lower : Uplo::upper,
              .trans = draw.trans(),
              .m = 1 + draw.below(5),
              .n = 1 + draw.below(5)};
    (p.side == Side::left ? p.n : p.m) += least_lines - 1;
    const std::uint64_t order = p.side == Side::left ? p.m : p.n;
    const detail::StoredMatrix a = draw.matrix(p.layout, order, order), b = draw.matrix(p.layout, p.m, p.n);
    p.lda = a.ld;
    p.ldb = b.ld;
    p.offset_alignment = 1;
    if (round % 2 == 1)
      p.batch = {.count = 3, .stride_a = draw.stride(a, 3, true), .stride_b = draw.stride(b, 3, false)};
    const Plan plan(shared_engine(), p, {"naive", {}});
    REQUIRE((plan.workspace_bytes() > 0) == needs_workspace);
    std::vector<PairOperand> operands{square_operand<float>(OperandName::a, a, false, p.batch.count, p.batch.stride_a),
                                      pair_operand<float>(OperandName::b, b, true, p.batch.count, p.batch.stride_b)};
    if (needs_workspace) operands.push_back(workspace_operand(plan.workspace_bytes()));
    check_operand_pairs(
        {.what = what,
         .operands = operands,
         .call =
             [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
               const WorkspaceRef lent =
                   needs_workspace ? WorkspaceRef{refs[2].buffer, refs[2].offset} : WorkspaceRef{};
               plan.enqueue(queue, {.a = refs[0], .b = refs[1], .workspace = lent}, waits);
             }},
        round);
  }
  count_kernel_of(what);
}

}  // namespace tilewright::test
