#include "verification/lu/lu_operation.hpp"

#include "verification/common/task_calls.hpp"

namespace tilewright::verification {
namespace {

GetrfProblem getrf_problem(const LuProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .m = p.m,
          .n = p.n,
          .lda = p.lda,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

GetrsProblem getrs_problem(const LuProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .trans = p.trans,
          .n = p.n,
          .nrhs = p.nrhs,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

GesvProblem gesv_problem(const LuProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .n = p.n,
          .nrhs = p.nrhs,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch,
          .refinements = p.refinements};
}

GetriProblem getri_problem(const LuProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .n = p.n,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

DetProblem det_problem(const LuProblem& p) {
  return {.type = p.type, .layout = p.layout, .n = p.n, .lda = p.lda, .batch = p.batch};
}

GetrfOperands getrf_operands(const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .info = o.info, .workspace = o.workspace, .event = o.event};
}
GetrsOperands getrs_operands(const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .b = o.b, .workspace = o.workspace, .event = o.event};
}
GesvOperands gesv_operands(const LuOperands& o) {
  return {.a = o.a,
          .pivots = o.pivots,
          .info = o.info,
          .b = o.b,
          .iterations = o.iterations,
          .workspace = o.workspace,
          .event = o.event};
}
GetriOperands getri_operands(const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .b = o.b, .workspace = o.workspace, .event = o.event};
}
DetOperands det_operands(const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .determinant = o.determinant, .workspace = o.workspace, .event = o.event};
}

using LuCalls = TaskCalls<TaskCall<LuTask::getrf, GetrfPlan, getrf, getrf_problem, getrf_operands>,
                          TaskCall<LuTask::getrs, GetrsPlan, getrs, getrs_problem, getrs_operands>,
                          TaskCall<LuTask::gesv, GesvPlan, gesv, gesv_problem, gesv_operands>,
                          TaskCall<LuTask::getri, GetriPlan, getri, getri_problem, getri_operands>,
                          TaskCall<LuTask::det, DetPlan, det, det_problem, det_operands>>;

}  // namespace

AnyLuPlan::AnyLuPlan(const Engine& engine, const LuProblem& problem, const Choice& choice)
    : plan_(LuCalls::plan(engine, problem, choice)) {}

Event AnyLuPlan::enqueue(cl_command_queue queue, const LuOperands& operands, std::span<const cl_event> waits) const {
  return LuCalls::enqueue(plan_, queue, operands, waits);
}

std::uint64_t AnyLuPlan::workspace_bytes() const {
  return std::visit([](const auto& plan) { return plan.workspace_bytes(); }, plan_);
}

Event run_lu(const Engine& engine, cl_command_queue queue, const LuProblem& problem, const LuOperands& operands,
             std::span<const cl_event> waits, const Choice& choice) {
  return LuCalls::run(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright::verification
