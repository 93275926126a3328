// The shared implementation of GeqrfPlan, OrmqrPlan, OrgqrPlan and GelsPlan.
#pragma once

#include <optional>
#include <span>

#include "kernels/plans/plan_state.hpp"
#include "qr/qr_problem.hpp"
#include "qr/qr_steps.hpp"
#include "tilewright/triangular.hpp"

namespace tilewright::detail {

/// One task of QR with its kernels compiled. Thread-safe.
class QrState : public PlanBase {
 public:
  QrState(const Engine& engine, const QrProblem& problem, const Choice& choice);

  Event enqueue(cl_command_queue queue, const QrOperands& operands, std::span<const cl_event> waits);

 private:
  void plan_steps(const Engine& engine, const Choice& choice);
  void plan_system(const Engine& engine, const Choice& choice);
  void explain();
  void enqueue_steps(CommandChain& chain, const QrOperands& operands) const;
  void enqueue_system(CommandChain& chain, const QrOperands& operands) const;

  QrProblem problem_;
  // None of these exists if the problem is empty, and each only if the task needs it.
  std::optional<QrKernels> kernels_;
  std::optional<QrFactorisation> factorisation_;
  std::optional<QrApplication> application_;
  std::optional<QrGeneration> generation_;
  std::optional<TrsmPlan> triangle_;
  // gels only
  QrMatrix factored_{};  // A, or the copy of A^H in the workspace if m < n
  bool is_overdetermined_ = true;
  std::uint64_t tau_bytes_ = 0, copy_bytes_ = 0;
};

/// The state of a public plan.
template <class Problem>
class QrPlanState : public PlanState<Problem, QrState> {
 public:
  QrPlanState(const Engine& engine, const Problem& problem, const Choice& choice)
      : PlanState<Problem, QrState>(engine, problem, qr_problem(problem), choice) {}

  template <class Operands>
  Event enqueue(cl_command_queue queue, const Operands& operands, std::span<const cl_event> waits) {
    return QrState::enqueue(queue, qr_operands(operands), waits);
  }
};

}  // namespace tilewright::detail
