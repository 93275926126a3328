// One problem and one set of operands for all operations of LU, to which the public ones are converted.
#pragma once

#include <string_view>

#include "tilewright/lu.hpp"

namespace tilewright::detail {

enum class LuTask { getrf, getrs, gesv, getri, det };

/// Returns the name of the operation, such as "getrf".
std::string_view to_string(LuTask task);

/// The fields of GetrfProblem, GetrsProblem, GesvProblem, GetriProblem and DetProblem. The task does not use all.
struct LuProblem {
  LuTask task = LuTask::getrf;
  DataType type = DataType::f32;
  Layout layout = Layout::row_major;
  Transpose trans = Transpose::no;
  std::uint64_t m = 0;  ///< n unless the task is getrf
  std::uint64_t n = 0;
  std::uint64_t nrhs = 0;  ///< n if the task is getri
  std::uint64_t lda = 0;
  std::uint64_t ldb = 0;
  std::uint64_t offset_alignment = 16;
  Batch batch{};
  std::uint64_t refinements = 0;

  friend bool operator==(const LuProblem&, const LuProblem&) = default;
};

/// The fields of GetrfOperands, GetrsOperands, GesvOperands, GetriOperands and DetOperands.
struct LuOperands {
  MatrixRef a{};
  MatrixRef pivots{};
  MatrixRef info{};
  MatrixRef b{};
  MatrixRef determinant{};
  MatrixRef iterations{};
  WorkspaceRef workspace{};
  bool event = true;
};

constexpr LuTask task_of(const GetrfProblem& /*problem*/) { return LuTask::getrf; }
constexpr LuTask task_of(const GetrsProblem& /*problem*/) { return LuTask::getrs; }
constexpr LuTask task_of(const GesvProblem& /*problem*/) { return LuTask::gesv; }
constexpr LuTask task_of(const GetriProblem& /*problem*/) { return LuTask::getri; }
constexpr LuTask task_of(const DetProblem& /*problem*/) { return LuTask::det; }

/// Copies the fields that the problem of a task has.
template <class Problem>
LuProblem lu_problem(const Problem& p) {
  LuProblem all{.task = task_of(p), .type = p.type, .layout = p.layout, .m = p.n, .n = p.n, .lda = p.lda};
  all.batch = p.batch;
  all.offset_alignment = 1;  // det reads single elements
  if constexpr (requires { p.m; }) all.m = p.m;
  if constexpr (requires { p.trans; }) all.trans = p.trans;
  if constexpr (requires { p.nrhs; }) all.nrhs = p.nrhs;
  if constexpr (requires { p.ldb; }) all.ldb = p.ldb;
  if constexpr (requires { p.offset_alignment; }) all.offset_alignment = p.offset_alignment;
  if constexpr (requires { p.refinements; }) all.refinements = p.refinements;
  if (all.task == LuTask::getri) all.nrhs = p.n;
  return all;
}

/// Copies the operands that a task has.
template <class Operands>
LuOperands lu_operands(const Operands& o) {
  LuOperands all{.a = o.a, .pivots = o.pivots, .workspace = o.workspace, .event = o.event};
  if constexpr (requires { o.info; }) all.info = o.info;
  if constexpr (requires { o.b; }) all.b = o.b;
  if constexpr (requires { o.determinant; }) all.determinant = o.determinant;
  if constexpr (requires { o.iterations; }) all.iterations = o.iterations;
  return all;
}

}  // namespace tilewright::detail
