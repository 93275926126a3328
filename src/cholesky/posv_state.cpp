#include "cholesky/posv_state.hpp"

#include <algorithm>

#include "kernels/command_chain.hpp"
#include "kernels/explanation.hpp"

namespace tilewright {

using namespace detail;

PosvPlan::State::State(const Engine& engine, const PosvProblem& problem, const Choice& choice)
    : PlanState(engine, problem),
      system_(potrf_system(factorisation_of(problem, engine.profile()), engine.profile())),
      factor_(engine, factorisation_of(problem, engine.profile()), choice),
      solve_(engine, solution_of(problem), choice) {
  workspace_bytes_ = std::max(factor_.workspace_bytes(), solve_.workspace_bytes());
  explanation_ = {.reason = "a factorisation, then a solution with the factor",
                  .problem = problem_text("posv", to_string(problem.type), {problem.n, problem.nrhs})};
  add_part(explanation_, factor_.explanation());
  add_part(explanation_, solve_.explanation());
}

Event PosvPlan::State::enqueue(cl_command_queue queue, const PosvOperands& operands,
                               std::span<const cl_event> waits) const {
  check_call(queue, waits);
  check_posv_operands(context_, system_, asked_, operands, workspace_bytes_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  chain.plan(factor_, PotrfOperands{.a = operands.a, .info = operands.info}, chain.workspace());
  chain.plan(solve_, PotrsOperands{.a = operands.a, .b = operands.b}, chain.workspace(), operands.event);
  return chain.finish();
}

}  // namespace tilewright
