#include "kernels/plans/plan.hpp"
#include "triangular/trsv_state.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Trsv)

Event trsv(const Engine& engine, cl_command_queue queue, const TrsvProblem& problem, const TrsvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<TrsvPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
