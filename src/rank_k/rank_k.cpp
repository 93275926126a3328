#include "tilewright/rank_k.hpp"

#include "kernels/plans/plan.hpp"
#include "rank_k/rank_k_plan.hpp"

namespace tilewright {

class SyrkPlan::State : public detail::PlanState<SyrkProblem, detail::RankKPlan> {
 public:
  State(const Engine& engine, const SyrkProblem& problem, const Choice& choice)
      : PlanState(engine, problem, detail::rank_k_system(problem, engine.profile()), choice) {}

  Event enqueue(cl_command_queue queue, const SyrkOperands& operands, std::span<const cl_event> waits) {
    return RankKPlan::enqueue(queue,
                              {.alpha = operands.alpha,
                               .beta = operands.beta,
                               .matrices = {operands.a, {}, operands.c},
                               .workspace = operands.workspace,
                               .event = operands.event},
                              waits);
  }
};

class Syr2kPlan::State : public detail::PlanState<Syr2kProblem, detail::RankKPlan> {
 public:
  State(const Engine& engine, const Syr2kProblem& problem, const Choice& choice)
      : PlanState(engine, problem, detail::rank_k_system(problem, engine.profile()), choice) {}

  Event enqueue(cl_command_queue queue, const Syr2kOperands& operands, std::span<const cl_event> waits) {
    return RankKPlan::enqueue(queue,
                              {.alpha = operands.alpha,
                               .beta = operands.beta,
                               .matrices = {operands.a, operands.b, operands.c},
                               .workspace = operands.workspace,
                               .event = operands.event},
                              waits);
  }
};

class GemmtPlan::State : public detail::PlanState<GemmtProblem, detail::RankKPlan> {
 public:
  State(const Engine& engine, const GemmtProblem& problem, const Choice& choice)
      : PlanState(engine, problem, detail::rank_k_system(problem, engine.profile()), choice) {}

  Event enqueue(cl_command_queue queue, const GemmtOperands& operands, std::span<const cl_event> waits) {
    return RankKPlan::enqueue(queue,
                              {.alpha = operands.alpha,
                               .beta = operands.beta,
                               .matrices = {operands.a, operands.b, operands.c},
                               .workspace = operands.workspace,
                               .event = operands.event},
                              waits);
  }
};

TILEWRIGHT_DEFINE_PLAN(Syrk)
TILEWRIGHT_DEFINE_PLAN(Syr2k)
TILEWRIGHT_DEFINE_PLAN(Gemmt)

Event syrk(const Engine& engine, cl_command_queue queue, const SyrkProblem& problem, const SyrkOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<SyrkPlan>(engine, queue, problem, operands, waits, choice);
}

Event syr2k(const Engine& engine, cl_command_queue queue, const Syr2kProblem& problem, const Syr2kOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<Syr2kPlan>(engine, queue, problem, operands, waits, choice);
}

Event gemmt(const Engine& engine, cl_command_queue queue, const GemmtProblem& problem, const GemmtOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GemmtPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
