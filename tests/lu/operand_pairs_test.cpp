// Every pair of operands of LU's operations in one buffer, compared with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>

#include "support/run_report.hpp"
#include "support/task_pairs.hpp"
#include "verification/lu/lu_operation.hpp"

namespace tilewright::test {
namespace {

using verification::AnyLuPlan, verification::LuOperands, verification::LuProblem, verification::LuTask;

using LuPairs = TaskPairs<LuProblem, LuOperands>;

template <class T>
void add_operands(PairDraw& draw, LuPairs& pairs, const detail::StoredMatrix& a, const detail::StoredMatrix& b) {
  LuProblem& p = pairs.problem;
  Batch& batch = p.batch;
  const bool factors = p.task == LuTask::getrf || p.task == LuTask::gesv;
  const std::uint64_t steps = p.task == LuTask::getrf ? std::min(p.m, p.n) : p.n;
  const bool takes_b = p.task != LuTask::getrf && p.task != LuTask::det;
  if (batch.count > 1) {
    batch.stride_a = draw.stride(a, batch.count, !factors);
    if (takes_b) batch.stride_b = draw.stride(b, batch.count, false);
    batch.stride_pivots = steps + draw.below(3);
    if (factors) batch.stride_info = 1 + draw.below(3);
    if (p.task == LuTask::det) batch.stride_determinant = 2 + draw.below(3);
  }
  const bool is_read = !factors || p.refinements != 0;
  PairOperand of_a = pair_operand<T>(OperandName::a, a, !is_read, batch.count, batch.stride_a);
  if (a.rows == a.columns) of_a.values = square_operand<T>(OperandName::a, a, false, batch.count).values;
  pairs.add(&LuOperands::a, of_a);
  pairs.add(&LuOperands::pivots,
            integer_operand(OperandName::pivots, steps, factors, batch.count, batch.stride_pivots));
  if (factors)
    pairs.add(&LuOperands::info, integer_operand(OperandName::info, 1, true, batch.count, batch.stride_info));
  if (takes_b) pairs.add(&LuOperands::b, pair_operand<T>(OperandName::b, b, true, batch.count, batch.stride_b));
  if (p.refinements != 0) pairs.add(&LuOperands::iterations, integer_operand(OperandName::iterations, 1, true));
  if (p.task == LuTask::det)
    pairs.add(&LuOperands::determinant,
              pair_operand<T>(OperandName::determinant, {1, 2, 2}, true, batch.count, batch.stride_determinant));
}

LuPairs draw_lu(PairDraw& draw, LuTask task, DataType type, bool is_batch) {
  draw.new_pitch();
  LuPairs pairs;
  LuProblem& p = pairs.problem;
  p = {.task = task,
       .type = type,
       .layout = draw.layout(),
       .trans = task == LuTask::getrs ? draw.trans() : Transpose::no,
       .m = 1 + draw.below(5),
       .n = 1 + draw.below(5),
       .nrhs = 1 + draw.below(4),
       .offset_alignment = 1,
       .batch = {.count = is_batch ? 2U : 1U},
       .refinements = type == DataType::f64 ? 3U : 0U};
  const bool is_rectangle = task == LuTask::getrf;
  const detail::StoredMatrix a = draw.matrix(p.layout, is_rectangle ? p.m : p.n, p.n);
  const detail::StoredMatrix b = draw.matrix(p.layout, p.n, task == LuTask::getri ? p.n : p.nrhs);
  p.lda = a.ld;
  p.ldb = b.ld;
  if (type == DataType::f64)
    add_operands<double>(draw, pairs, a, b);
  else if (type == DataType::c64)
    add_operands<std::complex<float>>(draw, pairs, a, b);
  else
    add_operands<float>(draw, pairs, a, b);
  return pairs;
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of every operation of LU") {
    PairDraw draw(371);
    for (const LuTask task : verification::lu_tasks)
      for (std::uint64_t round = 0; round < 4; ++round) {
        LuPairs pairs = draw_lu(draw, task, round < 2 ? DataType::f32 : DataType::c64, round % 2 == 1);
        check_task_pairs<AnyLuPlan>(pairs, round);
      }
    count_kernel_of("lu");
  }

  TEST_CASE("each pair of gesv with refinements and its workspace") {
    if (!shared_engine().profile().fp64) return;
    PairDraw draw(372);
    for (std::uint64_t round = 0; round < 2; ++round) {
      LuPairs pairs = draw_lu(draw, LuTask::gesv, DataType::f64, false);
      check_task_pairs<AnyLuPlan>(pairs, round);
      CHECK(pairs.operands.back().is_workspace());
    }
  }

  TEST_CASE("each pair of a larger system and its workspace") {
    PairDraw draw(373);
    LuPairs pairs;
    pairs.problem = {.task = LuTask::gesv, .n = 70, .nrhs = 3, .offset_alignment = 1};
    add_operands<float>(draw, pairs, {70, 70, 70}, {70, 3, 3});
    check_task_pairs<AnyLuPlan>(pairs, 0);
    CHECK(pairs.operands.back().is_workspace());
  }
}

}  // namespace tilewright::test
