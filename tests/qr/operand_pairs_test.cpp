// Every pair of operands of QR's operations in one buffer, compared with the sets of their elements.
#include "support/operand_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>

#include "support/run_report.hpp"
#include "support/task_pairs.hpp"
#include "verification/qr/qr_operation.hpp"

namespace tilewright::test {
namespace {

using verification::AnyQrPlan, verification::QrOperands, verification::QrProblem, verification::QrTask;

using QrPairs = TaskPairs<QrProblem, QrOperands>;

template <class T>
void add_operands(PairDraw& draw, QrPairs& pairs, const detail::StoredMatrix& a, const detail::StoredMatrix& c) {
  QrProblem& p = pairs.problem;
  Batch& batch = p.batch;
  const bool is_gels = p.task == QrTask::gels, takes_c = is_gels || p.task == QrTask::ormqr;
  const bool writes_a = is_gels ? p.m >= p.n : p.task != QrTask::ormqr;
  std::uint64_t& stride_c = is_gels ? batch.stride_b : batch.stride_c;
  if (batch.count > 1) {
    batch.stride_a = draw.stride(a, batch.count, false);
    if (takes_c) stride_c = draw.stride(c, batch.count, false);
    if (is_gels)
      batch.stride_info = 1 + draw.below(3);
    else
      batch.stride_tau = p.k + draw.below(3);
  }
  pairs.add(&QrOperands::a, pair_operand<T>(OperandName::a, a, writes_a, batch.count, batch.stride_a));
  if (!is_gels)
    pairs.add(&QrOperands::tau,
              pair_operand<T>(OperandName::tau, {1, p.k, p.k}, p.task == QrTask::geqrf, batch.count, batch.stride_tau));
  if (takes_c)
    pairs.add(&QrOperands::c,
              pair_operand<T>(is_gels ? OperandName::b : OperandName::c, c, true, batch.count, stride_c));
  if (is_gels)
    pairs.add(&QrOperands::info, integer_operand(OperandName::info, 1, true, batch.count, batch.stride_info));
}

QrPairs draw_qr(PairDraw& draw, QrTask task, DataType type, bool is_batch) {
  draw.new_pitch();
  QrPairs pairs;
  QrProblem& p = pairs.problem;
  p = {.task = task,
       .type = type,
       .layout = draw.layout(),
       .m = 1 + draw.below(5),
       .n = 1 + draw.below(5),
       .nrhs = task == QrTask::gels ? 1 + draw.below(4) : 0,
       .offset_alignment = 1,
       .batch = {.count = is_batch ? 2U : 1U}};
  if (task == QrTask::orgqr) p.m = p.n + draw.below(3);
  p.k = std::min(p.m, p.n);
  if (task == QrTask::ormqr) p.side = p.k == p.m ? Side::left : Side::right;
  const detail::StoredMatrix a = draw.matrix(p.layout, p.rows_of_a(), p.columns_of_a());
  const bool is_gels = task == QrTask::gels;
  const detail::StoredMatrix c = draw.matrix(p.layout, is_gels ? std::max(p.m, p.n) : p.m, is_gels ? p.nrhs : p.n);
  p.lda = a.ld;
  p.ldc = c.ld;
  if (type == DataType::c64)
    add_operands<std::complex<float>>(draw, pairs, a, c);
  else
    add_operands<float>(draw, pairs, a, c);
  return pairs;
}

}  // namespace

TEST_SUITE("overlapping operands") {
  TEST_CASE("each pair of every operation of QR") {
    PairDraw draw(381);
    for (const QrTask task : verification::qr_tasks)
      for (std::uint64_t round = 0; round < 4; ++round) {
        QrPairs pairs = draw_qr(draw, task, round < 2 ? DataType::f32 : DataType::c64, round % 2 == 1);
        check_task_pairs<AnyQrPlan>(pairs, round);
      }
    count_kernel_of("qr");
  }

  TEST_CASE("each pair of a larger system of QR and its workspace") {
    PairDraw draw(383);
    QrPairs pairs;
    pairs.problem = {.task = QrTask::gels, .m = 70, .n = 66, .k = 66, .nrhs = 3, .offset_alignment = 1};
    add_operands<float>(draw, pairs, {70, 66, 66}, {70, 3, 3});
    check_task_pairs<AnyQrPlan>(pairs, 0);
    CHECK(pairs.operands.back().is_workspace());
  }
}

}  // namespace tilewright::test
