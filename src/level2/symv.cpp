#include "tilewright/symv.hpp"

#include "kernels/plans/plan.hpp"
#include "level2/product_plan.hpp"

namespace tilewright {
namespace {

// Row sums use a_ij, and column sums use a_ji. In the row-major matrix in memory, a column-major Hermitian A is stored
// as its conjugate.
detail::TriangleProduct product_of(const SymvProblem& p) {
  using namespace detail;
  const bool is_hermitian = p.symmetry == Symmetry::hermitian && is_complex(p.type);
  const bool by_columns = p.layout == Layout::column_major;
  return {.problem = {.function = "symv",
                      .type = p.type,
                      .layout = p.layout,
                      .uplo = p.uplo,
                      .n = p.n,
                      .lda = p.lda,
                      .offset_alignment = p.offset_alignment,
                      .batch = p.batch,
                      .vectors = {{level2_x, p.incx, p.batch.stride_x}, {level2_y, p.incy, p.batch.stride_y}},
                      .written = "y"},
          .conjugate_rows = is_hermitian && by_columns,
          .conjugate_columns = is_hermitian && !by_columns,
          .has_real_diagonal = is_hermitian};
}

}  // namespace

class SymvPlan::State : public detail::PlanState<SymvProblem, detail::ProductPlan> {
 public:
  State(const Engine& engine, const SymvProblem& problem, const Choice& choice)
      : PlanState(engine, problem, product_of(problem), choice) {}

  Event enqueue(cl_command_queue queue, const SymvOperands& operands, std::span<const cl_event> waits) {
    return ProductPlan::enqueue(queue,
                                {.alpha = operands.alpha,
                                 .beta = operands.beta,
                                 .a = operands.a,
                                 .x = operands.x,
                                 .y = operands.y,
                                 .workspace = operands.workspace,
                                 .event = operands.event},
                                waits);
  }
};

TILEWRIGHT_DEFINE_PLAN(Symv)

Event symv(const Engine& engine, cl_command_queue queue, const SymvProblem& problem, const SymvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<SymvPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
