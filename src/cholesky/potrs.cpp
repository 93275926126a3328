#include "cholesky/potrs_state.hpp"
#include "kernels/plans/plan.hpp"

namespace tilewright {

TILEWRIGHT_DEFINE_PLAN(Potrs)

Event potrs(const Engine& engine, cl_command_queue queue, const PotrsProblem& problem, const PotrsOperands& operands,
            std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<PotrsPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
