// One problem and one set of operands for all operations of QR, to which the public ones are converted.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "tilewright/least_squares.hpp"
#include "tilewright/qr.hpp"

namespace tilewright::detail {

enum class QrTask { geqrf, ormqr, orgqr, gels };

/// Returns the name of the operation, such as "geqrf".
std::string_view to_string(QrTask task);

/// The fields of GeqrfProblem, OrmqrProblem, OrgqrProblem and GelsProblem. The task does not use all.
struct QrProblem {
  QrTask task = QrTask::geqrf;
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Side side = Side::left;
  Transpose trans = Transpose::no;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;  ///< number of reflectors; min(m, n) unless the task is ormqr or orgqr
  std::uint64_t nrhs = 0;
  std::uint64_t lda = 0;
  std::uint64_t ldc = 0;  ///< ldb of gels
  std::uint64_t offset_alignment = 16;
  Batch batch{};

  /// Returns the rows of A.
  std::uint64_t rows_of_a() const { return task == QrTask::ormqr && side == Side::right ? n : m; }
  std::uint64_t columns_of_a() const { return task == QrTask::ormqr ? k : n; }

  friend bool operator==(const QrProblem&, const QrProblem&) = default;
};

/// The fields of GeqrfOperands, OrmqrOperands, OrgqrOperands and GelsOperands.
struct QrOperands {
  MatrixRef a{};
  MatrixRef tau{};
  MatrixRef c{};  ///< C of ormqr, B of gels
  MatrixRef info{};
  WorkspaceRef workspace{};
  bool event = true;
};

constexpr QrTask task_of(const GeqrfProblem& /*problem*/) { return QrTask::geqrf; }
constexpr QrTask task_of(const OrmqrProblem& /*problem*/) { return QrTask::ormqr; }
constexpr QrTask task_of(const OrgqrProblem& /*problem*/) { return QrTask::orgqr; }
constexpr QrTask task_of(const GelsProblem& /*problem*/) { return QrTask::gels; }

/// Copies the fields that the problem of a task has.
template <class Problem>
QrProblem qr_problem(const Problem& p) {
  QrProblem all{.task = task_of(p), .type = p.type, .layout = p.layout, .m = p.m, .n = p.n, .lda = p.lda};
  all.k = std::min(p.m, p.n);
  all.offset_alignment = p.offset_alignment;
  all.batch = p.batch;
  if constexpr (requires { p.side; }) all.side = p.side;
  if constexpr (requires { p.trans; }) all.trans = p.trans;
  if constexpr (requires { p.k; }) all.k = p.k;
  if constexpr (requires { p.nrhs; }) all.nrhs = p.nrhs;
  if constexpr (requires { p.ldc; }) all.ldc = p.ldc;
  if constexpr (requires { p.ldb; }) all.ldc = p.ldb;
  return all;
}

/// Copies the operands that a task has.
template <class Operands>
QrOperands qr_operands(const Operands& o) {
  QrOperands all{.a = o.a, .workspace = o.workspace, .event = o.event};
  if constexpr (requires { o.tau; }) all.tau = o.tau;
  if constexpr (requires { o.c; }) all.c = o.c;
  if constexpr (requires { o.b; }) all.c = o.b;
  if constexpr (requires { o.info; }) all.info = o.info;
  return all;
}

/// Returns the operation, its type and its sizes, such as "ormqr f32 100x50, k 50".
std::string problem_text(const QrProblem& problem);

}  // namespace tilewright::detail
