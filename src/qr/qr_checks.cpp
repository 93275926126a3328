#include "qr/qr_checks.hpp"

#include <algorithm>
#include <string>

#include "kernels/element_type.hpp"
#include "kernels/operands/batch_strides.hpp"

namespace tilewright::detail {
namespace {

constexpr OperandLabel label_a{"A", OperandName::a};

OperandLabel label_of_c(QrTask task) {
  return task == QrTask::gels ? OperandLabel{"B", OperandName::b} : OperandLabel{"C", OperandName::c};
}

bool has_c(QrTask task) { return task == QrTask::ormqr || task == QrTask::gels; }

std::uint64_t rows_of_c(const QrProblem& p) { return p.task == QrTask::gels ? std::max(p.m, p.n) : p.m; }
std::uint64_t columns_of_c(const QrProblem& p) { return p.task == QrTask::gels ? p.nrhs : p.n; }

std::uint64_t Batch::*stride_of_c(QrTask task) { return task == QrTask::gels ? &Batch::stride_b : &Batch::stride_c; }

void check_sizes(const QrProblem& p) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorCode::invalid_configuration, message); };
  const auto at_most = [&](const char* name, std::uint64_t value, const std::string& what, std::uint64_t most) {
    if (value > most)
      refuse(std::string(name) + " is " + std::to_string(value) + ", but must be at most " + what + ", " +
             std::to_string(most));
  };
  if (p.trans == Transpose::yes && is_complex(p.type))
    refuse("trans is a transpose without conjugation, but the type is complex; use the conjugate transpose");
  if (p.task == QrTask::ormqr) at_most("k", p.k, "the order of Q", p.rows_of_a());
  if (p.task != QrTask::orgqr) return;
  at_most("n", p.n, "m", p.m);
  at_most("k", p.k, "n", p.n);
}

}  // namespace

QrProblem completed(const QrProblem& problem, const DeviceProfile& device) {
  QrProblem p = problem;
  check_lapack_type(p.type, device, (std::string(to_string(p.task)) + " needs").c_str());
  check_sizes(p);
  if (!is_complex(p.type) && p.trans == Transpose::conjugate_transpose) p.trans = Transpose::yes;
  const bool takes_tau = p.task != QrTask::gels;
  check_strides(p.batch, {&Batch::stride_a, takes_tau ? &Batch::stride_tau : &Batch::stride_info,
                          has_c(p.task) ? stride_of_c(p.task) : &Batch::stride_a});
  const bool by_rows = p.layout == Layout::row_major;
  p.lda = completed_ld(label_a, by_rows ? p.columns_of_a() : p.rows_of_a(), p.lda);
  if (has_c(p.task)) p.ldc = completed_ld(label_of_c(p.task), by_rows ? columns_of_c(p) : rows_of_c(p), p.ldc);
  check_offset_alignment(p.offset_alignment);
  const bool is_shared = p.task == QrTask::ormqr && p.batch.stride_a == 0;
  if (takes_tau && p.batch.stride_tau == 0 && !is_shared) p.batch.stride_tau = p.k;
  if (!takes_tau && p.batch.stride_info == 0) p.batch.stride_info = 1;
  return p;
}

std::vector<QrOperand> operands_of(const QrProblem& p) {
  const std::size_t element = size_of(p.type);
  // Without reflectors or without right-hand sides, gels ignores A, and ormqr all operands.
  const bool is_gels = p.task == QrTask::gels, is_solved = is_gels && p.k > 0 && p.nrhs > 0,
             is_used = is_gels ? is_solved : !is_empty(p);
  std::vector<QrOperand> all{{.label = label_a,
                              .ref = &QrOperands::a,
                              .matrix = stored(p.layout, p.rows_of_a(), p.columns_of_a(), p.lda),
                              .stride = p.batch.stride_a,
                              .element = element,
                              .is_matrix = true,
                              .read = is_used,
                              .written = is_used && p.task != QrTask::ormqr && (!is_gels || p.m >= p.n)}};
  if (!is_gels)
    all.push_back({.label = {"tau", OperandName::tau},
                   .ref = &QrOperands::tau,
                   .matrix = row_of(p.k),
                   .stride = p.batch.stride_tau,
                   .element = element,
                   .read = is_used,
                   .written = is_used && p.task == QrTask::geqrf});
  if (has_c(p.task))
    all.push_back({.label = label_of_c(p.task),
                   .ref = &QrOperands::c,
                   .matrix = stored(p.layout, rows_of_c(p), columns_of_c(p), p.ldc),
                   .stride = p.batch.*stride_of_c(p.task),
                   .element = element,
                   .is_matrix = true,
                   .read = is_used,
                   .written = is_used || is_gels});
  if (is_gels)
    all.push_back({.label = {"info", OperandName::info},
                   .ref = &QrOperands::info,
                   .matrix = row_of(1),
                   .stride = p.batch.stride_info,
                   .element = info_bytes,
                   .written = true});
  return all;
}

void check_problem(const QrProblem& p) { check_task(p, operands_of(p)); }

void check_operands(const cl::Context& context, const QrProblem& p, const QrOperands& operands,
                    std::uint64_t workspace_bytes) {
  check_task_operands(context, p, operands_of(p), operands, workspace_bytes);
}

bool is_empty(const QrProblem& p) {
  if (p.batch.count == 0) return true;
  switch (p.task) {
    case QrTask::geqrf:
      return p.k == 0;
    case QrTask::ormqr:
      return p.m == 0 || p.n == 0 || p.k == 0;
    case QrTask::orgqr:
      return p.m == 0 || p.n == 0;
    case QrTask::gels:
      return false;  // writes info, and zeros if A is empty
  }
  return true;
}

}  // namespace tilewright::detail
