#include "cholesky/posv_state.hpp"
#include "kernels/plans/plan.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Posv)

Event posv(const Engine& engine, cl_command_queue queue, const PosvProblem& problem, const PosvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<PosvPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
