#include "cholesky/potrf_state.hpp"
#include "kernels/plans/plan.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Potrf)

Event potrf(const Engine& engine, cl_command_queue queue, const PotrfProblem& problem, const PotrfOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<PotrfPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
