#include "kernels/plans/plan.hpp"
#include "triangular/trsm_state.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Trsm)

Event trsm(const Engine& engine, cl_command_queue queue, const TrsmProblem& problem, const TrsmOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<TrsmPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
