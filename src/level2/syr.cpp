#include "tilewright/syr.hpp"

#include "kernels/plans/plan.hpp"
#include "level2/update_plan.hpp"

namespace tilewright {
namespace {

using namespace detail;

template <class Problem>
TriangleUpdate update_of(const char* function, const Problem& p, const FixedList<Level2Vector, 2>& vectors) {
  return {.problem = {.function = function,
                      .type = p.type,
                      .layout = p.layout,
                      .uplo = p.uplo,
                      .n = p.n,
                      .lda = p.lda,
                      .offset_alignment = p.offset_alignment,
                      .batch = p.batch,
                      .vectors = vectors,
                      .written = "A"},
          .is_hermitian = p.symmetry == Symmetry::hermitian};
}

}  // namespace

class SyrPlan::State : public PlanState<SyrProblem, UpdatePlan> {
 public:
  State(const Engine& engine, const SyrProblem& problem, const Choice& choice)
      : PlanState(engine, problem, update_of("syr", problem, {{level2_x, problem.incx, problem.batch.stride_x}}),
                  choice) {}

  Event enqueue(cl_command_queue queue, const SyrOperands& operands, std::span<const cl_event> waits) {
    return UpdatePlan::enqueue(queue,
                               {.alpha = operands.alpha,
                                .x = operands.x,
                                .a = operands.a,
                                .workspace = operands.workspace,
                                .event = operands.event},
                               waits);
  }
};

class Syr2Plan::State : public PlanState<Syr2Problem, UpdatePlan> {
 public:
  State(const Engine& engine, const Syr2Problem& problem, const Choice& choice)
      : PlanState(engine, problem,
                  update_of("syr2", problem,
                            {{level2_x, problem.incx, problem.batch.stride_x},
                             {level2_y, problem.incy, problem.batch.stride_y}}),
                  choice) {}

  Event enqueue(cl_command_queue queue, const Syr2Operands& operands, std::span<const cl_event> waits) {
    return UpdatePlan::enqueue(queue,
                               {.alpha = operands.alpha,
                                .x = operands.x,
                                .y = operands.y,
                                .a = operands.a,
                                .workspace = operands.workspace,
                                .event = operands.event},
                               waits);
  }
};

TILEWRIGHT_DEFINE_PLAN(Syr)
TILEWRIGHT_DEFINE_PLAN(Syr2)

Event syr(const Engine& engine, cl_command_queue queue, const SyrProblem& problem, const SyrOperands& operands,
          std::span<const cl_event> waits, const Choice& choice) {
  return plan_and_enqueue<SyrPlan>(engine, queue, problem, operands, waits, choice);
}

Event syr2(const Engine& engine, cl_command_queue queue, const Syr2Problem& problem, const Syr2Operands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return plan_and_enqueue<Syr2Plan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
