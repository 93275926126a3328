#include "qr/qr_problem.hpp"

#include "kernels/explanation.hpp"

namespace tilewright::detail {

std::string_view to_string(QrTask task) {
  switch (task) {
    case QrTask::geqrf:
      return "geqrf";
    case QrTask::ormqr:
      return "ormqr";
    case QrTask::orgqr:
      return "orgqr";
    case QrTask::gels:
      return "gels";
  }
  return "unknown";
}

std::string problem_text(const QrProblem& p) {
  std::string text = problem_text(to_string(p.task), to_string(p.type), {p.m, p.n}, p.batch.count);
  if (p.task == QrTask::ormqr || p.task == QrTask::orgqr) text += ", k " + std::to_string(p.k);
  if (p.task == QrTask::gels) text += ", nrhs " + std::to_string(p.nrhs);
  return text;
}

}  // namespace tilewright::detail
