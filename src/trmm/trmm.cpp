#include "kernels/plans/plan.hpp"
#include "trmm/trmm_state.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Trmm)

Event trmm(const Engine& engine, cl_command_queue queue, const TrmmProblem& problem, const TrmmOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<TrmmPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
