#include "lu/lu_problem.hpp"

namespace tilewright::detail {

std::string_view to_string(LuTask task) {
  switch (task) {
    case LuTask::getrf:
      return "getrf";
    case LuTask::getrs:
      return "getrs";
    case LuTask::gesv:
      return "gesv";
    case LuTask::getri:
      return "getri";
    case LuTask::det:
      return "det";
  }
  return "unknown";
}

LuProblem lu_problem(const GetrfProblem& p) {
  return {.task = LuTask::getrf,
          .type = p.type,
          .layout = p.layout,
          .m = p.m,
          .n = p.n,
          .lda = p.lda,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

LuProblem lu_problem(const GetrsProblem& p) {
  return {.task = LuTask::getrs,
          .type = p.type,
          .layout = p.layout,
          .trans = p.trans,
          .m = p.n,
          .n = p.n,
          .nrhs = p.nrhs,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

LuProblem lu_problem(const GesvProblem& p) {
  return {.task = LuTask::gesv,
          .type = p.type,
          .layout = p.layout,
          .m = p.n,
          .n = p.n,
          .nrhs = p.nrhs,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch,
          .refinements = p.refinements};
}

LuProblem lu_problem(const GetriProblem& p) {
  return {.task = LuTask::getri,
          .type = p.type,
          .layout = p.layout,
          .m = p.n,
          .n = p.n,
          .nrhs = p.n,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

LuProblem lu_problem(const DetProblem& p) {
  return {.task = LuTask::det,
          .type = p.type,
          .layout = p.layout,
          .m = p.n,
          .n = p.n,
          .lda = p.lda,
          .offset_alignment = 1,  // the kernel reads single elements
          .batch = p.batch};
}

LuOperands lu_operands(const GetrfOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .info = o.info, .workspace = o.workspace, .event = o.event};
}

LuOperands lu_operands(const GetrsOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .b = o.b, .workspace = o.workspace, .event = o.event};
}

LuOperands lu_operands(const GesvOperands& o) {
  return {.a = o.a,
          .pivots = o.pivots,
          .info = o.info,
          .b = o.b,
          .iterations = o.iterations,
          .workspace = o.workspace,
          .event = o.event};
}

LuOperands lu_operands(const GetriOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .b = o.b, .workspace = o.workspace, .event = o.event};
}

LuOperands lu_operands(const DetOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .determinant = o.determinant, .workspace = o.workspace, .event = o.event};
}

}  // namespace tilewright::detail
