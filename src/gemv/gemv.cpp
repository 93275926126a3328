#include "tilewright/gemv.hpp"

#include <string>

#include "gemv/vector_product_plan.hpp"
#include "kernels/plans/plan.hpp"
#include "tilewright/gemm_choice.hpp"

namespace tilewright {

class GemvPlan::State : public detail::PlanState<GemvProblem, detail::VectorProductPlan> {
 public:
  State(const Engine& engine, const GemvProblem& problem, const Choice& choice)
      : PlanState(engine, problem, detail::product_of(problem), choice) {}

  Event enqueue(cl_command_queue queue, const GemvOperands& operands, std::span<const cl_event> waits) {
    return VectorProductPlan::enqueue(queue,
                                      {.alpha = operands.alpha,
                                       .beta = operands.beta,
                                       .refs = {operands.a, operands.x, operands.y},
                                       .workspace = operands.workspace,
                                       .event = operands.event},
                                      waits);
  }
};

class GerPlan::State : public detail::PlanState<GerProblem, detail::VectorProductPlan> {
 public:
  State(const Engine& engine, const GerProblem& problem, const Choice& choice)
      : PlanState(engine, problem, detail::product_of(problem), choice) {}

  Event enqueue(cl_command_queue queue, const GerOperands& operands, std::span<const cl_event> waits) {
    return VectorProductPlan::enqueue(queue,
                                      {.alpha = operands.alpha,
                                       .beta = 1,
                                       .refs = {operands.x, operands.y, operands.a},
                                       .workspace = operands.workspace,
                                       .event = operands.event},
                                      waits);
  }
};

TILEWRIGHT_DEFINE_PLAN(Gemv)
TILEWRIGHT_DEFINE_PLAN(Ger)

Support gemv_support(const DeviceProfile& device, std::string_view variant, const GemvProblem& problem) {
  return gemm_support(device, variant, detail::product_of(problem).product);
}
Support ger_support(const DeviceProfile& device, std::string_view variant, const GerProblem& problem) {
  return gemm_support(device, variant, detail::product_of(problem).product);
}

namespace {

Explanation explained(const DeviceProfile& device, const detail::VectorProduct& call, const Choice& choice) {
  return detail::explain_vector_product(call, explain_gemm(device, call.product, choice));
}

}  // namespace

Explanation explain_gemv(const DeviceProfile& device, const GemvProblem& problem, const Choice& choice) {
  return explained(device, detail::product_of(problem), choice);
}
Explanation explain_ger(const DeviceProfile& device, const GerProblem& problem, const Choice& choice) {
  return explained(device, detail::product_of(problem), choice);
}

Event gemv(const Engine& engine, cl_command_queue queue, const GemvProblem& problem, const GemvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GemvPlan>(engine, queue, problem, operands, waits, choice);
}

Event ger(const Engine& engine, cl_command_queue queue, const GerProblem& problem, const GerOperands& operands,
          std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<GerPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
