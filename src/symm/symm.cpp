#include "kernels/plans/plan.hpp"
#include "symm/symm_state.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Symm)

Event symm(const Engine& engine, cl_command_queue queue, const SymmProblem& problem, const SymmOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<SymmPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
