#include "verification/qr/qr_operation.hpp"

#include <stdexcept>

namespace tilewright::verification {
namespace {

using AnyPlan = std::variant<GeqrfPlan, OrmqrPlan, OrgqrPlan, GelsPlan>;

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

GeqrfOperands operands_for(const GeqrfPlan*, const QrOperands& o) {
  return {.a = o.a, .tau = o.tau, .workspace = o.workspace, .event = o.event};
}
OrmqrOperands operands_for(const OrmqrPlan*, const QrOperands& o) {
  return {.a = o.a, .tau = o.tau, .c = o.c, .workspace = o.workspace, .event = o.event};
}
OrgqrOperands operands_for(const OrgqrPlan*, const QrOperands& o) {
  return {.a = o.a, .tau = o.tau, .workspace = o.workspace, .event = o.event};
}
GelsOperands operands_for(const GelsPlan*, const QrOperands& o) {
  return {.a = o.a, .b = o.c, .info = o.info, .workspace = o.workspace, .event = o.event};
}

template <class Plan>
constexpr const Plan* tag = nullptr;  // picks the operands of a plan

AnyPlan plan_of(const Engine& engine, const QrProblem& p, const Choice& choice) {
  switch (p.task) {
    case QrTask::geqrf:
      return GeqrfPlan(engine, geqrf_problem(p), choice);
    case QrTask::ormqr:
      return OrmqrPlan(engine, ormqr_problem(p), choice);
    case QrTask::orgqr:
      return OrgqrPlan(engine, orgqr_problem(p), choice);
    case QrTask::gels:
      return GelsPlan(engine, gels_problem(p), choice);
  }
  throw std::logic_error("a QR task that does not exist");
}

}  // namespace

AnyQrPlan::AnyQrPlan(const Engine& engine, const QrProblem& problem, const Choice& choice)
    : plan_(plan_of(engine, problem, choice)) {}

Event AnyQrPlan::enqueue(cl_command_queue queue, const QrOperands& operands, std::span<const cl_event> waits) const {
  return std::visit([&](const auto& plan) { return plan.enqueue(queue, operands_for(&plan, operands), waits); }, plan_);
}

std::uint64_t AnyQrPlan::workspace_bytes() const {
  return std::visit([](const auto& plan) { return plan.workspace_bytes(); }, plan_);
}

Event run_qr(const Engine& engine, cl_command_queue queue, const QrProblem& p, const QrOperands& o,
             std::span<const cl_event> waits, const Choice& choice) {
  switch (p.task) {
    case QrTask::geqrf:
      return geqrf(engine, queue, geqrf_problem(p), operands_for(tag<GeqrfPlan>, o), waits, choice);
    case QrTask::ormqr:
      return ormqr(engine, queue, ormqr_problem(p), operands_for(tag<OrmqrPlan>, o), waits, choice);
    case QrTask::orgqr:
      return orgqr(engine, queue, orgqr_problem(p), operands_for(tag<OrgqrPlan>, o), waits, choice);
    case QrTask::gels:
      return gels(engine, queue, gels_problem(p), operands_for(tag<GelsPlan>, o), waits, choice);
  }
  throw std::logic_error("a QR task that does not exist");
}

}  // namespace tilewright::verification
