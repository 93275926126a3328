#include "verification/qr/qr_operation.hpp"

#include "verification/common/task_calls.hpp"

namespace tilewright::verification {
namespace {

GeqrfProblem geqrf_problem(const QrProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .m = p.m,
          .n = p.n,
          .lda = p.lda,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

OrmqrProblem ormqr_problem(const QrProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .side = p.side,
          .trans = p.trans,
          .m = p.m,
          .n = p.n,
          .k = p.k,
          .lda = p.lda,
          .ldc = p.ldc,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

OrgqrProblem orgqr_problem(const QrProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .m = p.m,
          .n = p.n,
          .k = p.k,
          .lda = p.lda,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

GelsProblem gels_problem(const QrProblem& p) {
  return {.type = p.type,
          .layout = p.layout,
          .trans = p.trans,
          .m = p.m,
          .n = p.n,
          .nrhs = p.nrhs,
          .lda = p.lda,
          .ldb = p.ldc,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

GeqrfOperands geqrf_operands(const QrOperands& o) {
  return {.a = o.a, .tau = o.tau, .workspace = o.workspace, .event = o.event};
}
OrmqrOperands ormqr_operands(const QrOperands& o) {
  return {.a = o.a, .tau = o.tau, .c = o.c, .workspace = o.workspace, .event = o.event};
}
OrgqrOperands orgqr_operands(const QrOperands& o) {
  return {.a = o.a, .tau = o.tau, .workspace = o.workspace, .event = o.event};
}
GelsOperands gels_operands(const QrOperands& o) {
  return {.a = o.a, .b = o.c, .info = o.info, .workspace = o.workspace, .event = o.event};
}

using QrCalls = TaskCalls<TaskCall<QrTask::geqrf, GeqrfPlan, geqrf, geqrf_problem, geqrf_operands>,
                          TaskCall<QrTask::ormqr, OrmqrPlan, ormqr, ormqr_problem, ormqr_operands>,
                          TaskCall<QrTask::orgqr, OrgqrPlan, orgqr, orgqr_problem, orgqr_operands>,
                          TaskCall<QrTask::gels, GelsPlan, gels, gels_problem, gels_operands>>;

}  // namespace

AnyQrPlan::AnyQrPlan(const Engine& engine, const QrProblem& problem, const Choice& choice)
    : plan_(QrCalls::plan(engine, problem, choice)) {}

Event AnyQrPlan::enqueue(cl_command_queue queue, const QrOperands& operands, std::span<const cl_event> waits) const {
  return QrCalls::enqueue(plan_, queue, operands, waits);
}

std::uint64_t AnyQrPlan::workspace_bytes() const {
  return std::visit([](const auto& plan) { return plan.workspace_bytes(); }, plan_);
}

Event run_qr(const Engine& engine, cl_command_queue queue, const QrProblem& problem, const QrOperands& operands,
             std::span<const cl_event> waits, const Choice& choice) {
  return QrCalls::run(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright::verification
