#include "cholesky/potri_state.hpp"
#include "kernels/plans/plan.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Potri)

Event potri(const Engine& engine, cl_command_queue queue, const PotriProblem& problem, const PotriOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<PotriPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
