#include "verification/lu/lu_operation.hpp"

#include <stdexcept>

namespace tilewright::verification {
namespace {

using AnyPlan = std::variant<GetrfPlan, GetrsPlan, GesvPlan, GetriPlan, DetPlan>;

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

GetrfOperands operands_for(const GetrfPlan*, const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .info = o.info, .workspace = o.workspace, .event = o.event};
}
GetrsOperands operands_for(const GetrsPlan*, const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .b = o.b, .workspace = o.workspace, .event = o.event};
}
GesvOperands operands_for(const GesvPlan*, const LuOperands& o) {
  return {.a = o.a,
          .pivots = o.pivots,
          .info = o.info,
          .b = o.b,
          .iterations = o.iterations,
          .workspace = o.workspace,
          .event = o.event};
}
GetriOperands operands_for(const GetriPlan*, const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .b = o.b, .workspace = o.workspace, .event = o.event};
}
DetOperands operands_for(const DetPlan*, const LuOperands& o) {
  return {.a = o.a, .pivots = o.pivots, .determinant = o.determinant, .workspace = o.workspace, .event = o.event};
}

template <class Plan>
constexpr const Plan* tag = nullptr;  // picks the operands of a plan

AnyPlan plan_of(const Engine& engine, const LuProblem& p, const Choice& choice) {
  switch (p.task) {
    case LuTask::getrf:
      return GetrfPlan(engine, getrf_problem(p), choice);
    case LuTask::getrs:
      return GetrsPlan(engine, getrs_problem(p), choice);
    case LuTask::gesv:
      return GesvPlan(engine, gesv_problem(p), choice);
    case LuTask::getri:
      return GetriPlan(engine, getri_problem(p), choice);
    case LuTask::det:
      return DetPlan(engine, det_problem(p), choice);
  }
  throw std::logic_error("an LU task that does not exist");
}

}  // namespace

AnyLuPlan::AnyLuPlan(const Engine& engine, const LuProblem& problem, const Choice& choice)
    : plan_(plan_of(engine, problem, choice)) {}

Event AnyLuPlan::enqueue(cl_command_queue queue, const LuOperands& operands, std::span<const cl_event> waits) const {
  return std::visit([&](const auto& plan) { return plan.enqueue(queue, operands_for(&plan, operands), waits); }, plan_);
}

std::uint64_t AnyLuPlan::workspace_bytes() const {
  return std::visit([](const auto& plan) { return plan.workspace_bytes(); }, plan_);
}

Event run_lu(const Engine& engine, cl_command_queue queue, const LuProblem& p, const LuOperands& o,
             std::span<const cl_event> waits, const Choice& choice) {
  switch (p.task) {
    case LuTask::getrf:
      return getrf(engine, queue, getrf_problem(p), operands_for(tag<GetrfPlan>, o), waits, choice);
    case LuTask::getrs:
      return getrs(engine, queue, getrs_problem(p), operands_for(tag<GetrsPlan>, o), waits, choice);
    case LuTask::gesv:
      return gesv(engine, queue, gesv_problem(p), operands_for(tag<GesvPlan>, o), waits, choice);
    case LuTask::getri:
      return getri(engine, queue, getri_problem(p), operands_for(tag<GetriPlan>, o), waits, choice);
    case LuTask::det:
      return det(engine, queue, det_problem(p), operands_for(tag<DetPlan>, o), waits, choice);
  }
  throw std::logic_error("an LU task that does not exist");
}

}  // namespace tilewright::verification
