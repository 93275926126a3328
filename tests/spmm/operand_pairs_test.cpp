// Overlaps of every pair of operands of a sparse product in one buffer, compared with sets of elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/run_report.hpp"
#include "verification/spmm/device_sparse.hpp"

namespace tilewright::test {
namespace {

// The buffers of the structure are released after the plan is made, because calls do not use them.
SpmmPlan plan_of_rows(const SpmmProblem& p, const Choice& choice) {
  verification::HostSparse host{.offsets = {0}, .rows = {}, .columns = {}};
  const std::uint64_t per_row = p.nonzeros / p.m;
  for (std::uint64_t i = 0; i < p.nonzeros; ++i) host.columns.push_back(i % per_row);
  for (std::uint64_t row = 1; row <= p.m; ++row) host.offsets.push_back(row * per_row);
  const verification::DeviceSparse device(shared_context(), host, IndexType::i32, 0);
  return {shared_engine(), p, device.structure(), choice};
}

struct SparseShape {
  SpmmProblem problem{};
  std::vector<PairOperand> operands{};
};

SparseShape draw_sparse(PairDraw& draw, bool is_batch) {
  draw.new_pitch();
  SparseShape s;
  SpmmProblem& p = s.problem;
  p = {.layout_b = draw.layout(),
       .layout_c = draw.layout(),
       .m = 1 + draw.below(5),
       .n = 1 + draw.below(5),
       .k = 2 + draw.below(5)};
  p.nonzeros = p.m * (1 + draw.below(p.k));
  const detail::StoredMatrix values{1, p.nonzeros, p.nonzeros}, b = draw.matrix(p.layout_b, p.k, p.n),
                                                                c = draw.matrix(p.layout_c, p.m, p.n);
  p.ldb = b.ld;
  p.ldc = c.ld;
  if (is_batch)
    p.batch = {.count = 2,
               .stride_a = draw.stride(values, 2, true),
               .stride_b = draw.stride(b, 2, true),
               .stride_c = draw.stride(c, 2, false)};
  const Batch& batch = p.batch;
  s.operands = {pair_operand<float>(OperandName::a, values, false, batch.count, batch.stride_a),
                pair_operand<float>(OperandName::b, b, false, batch.count, batch.stride_b),
                pair_operand<float>(OperandName::c, c, true, batch.count, batch.stride_c)};
  return s;
}

void check_sparse(const SparseShape& shape, const SpmmPlan& plan, std::uint64_t seed) {
  check_operand_pairs(
      {.what = "spmm",
       .operands = shape.operands,
       .call =
           [&](cl_command_queue queue, std::span<const MatrixRef> refs, std::span<const cl_event> waits) {
             SpmmOperands call{.alpha = 2, .values = refs[0], .b = refs[1], .beta = 3, .c = refs[2]};
             if (refs.size() > 3) call.workspace = {refs[3].buffer, refs[3].offset};
             plan.enqueue(queue, call, waits);
           }},
      seed);
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of a sparse product") {
    PairDraw draw(341);
    for (std::uint64_t round = 0; round < 6; ++round) {
      const SparseShape shape = draw_sparse(draw, round % 2 == 1);
      check_sparse(shape, plan_of_rows(shape.problem, {"row_per_item", {}}), round);
    }
    count_kernel_of("spmm");
  }

  TEST_CASE("each pair of a sparse product and its workspace") {
    SparseShape shape;
    shape.problem = {.layout_b = Layout::column_major, .m = 1, .n = 2, .k = 300, .nonzeros = 300};
    shape.operands = {pair_operand<float>(OperandName::a, {1, 300, 300}),
                      pair_operand<float>(OperandName::b, {2, 300, 300}),
                      pair_operand<float>(OperandName::c, {1, 2, 2}, true)};
    const SpmmPlan plan = plan_of_rows(shape.problem, {"chunk_per_item", {{"chunk", 64}}});
    REQUIRE(plan.workspace_bytes() > 0);
    shape.operands.push_back(workspace_operand(plan.workspace_bytes()));
    check_sparse(shape, plan, 0);
  }
}

}  // namespace tilewright::test
