#include "tilewright/trmv.hpp"

#include "kernels/plans/plan.hpp"
#include "level2/product_plan.hpp"

namespace tilewright {
namespace {

// A column-major matrix is the transpose of the row-major one in memory.
detail::TriangleProduct product_of(const TrmvProblem& p) {
  using namespace detail;
  const bool is_transposed = (p.trans != Transpose::no) != (p.layout == Layout::column_major);
  const bool conjugates = p.trans == Transpose::conjugate_transpose && is_complex(p.type);
  return {.problem = {.function = "trmv",
                      .type = p.type,
                      .layout = p.layout,
                      .uplo = p.uplo,
                      .n = p.n,
                      .lda = p.lda,
                      .offset_alignment = p.offset_alignment,
                      .batch = p.batch,
                      .vectors = {{level2_x, p.incx, p.batch.stride_x}},
                      .written = "x"},
          .row_sums = !is_transposed,
          .column_sums = is_transposed,
          .conjugate_rows = conjugates,
          .conjugate_columns = conjugates,
          .is_unit = p.diag == Diag::unit};
}

}  // namespace

class TrmvPlan::State : public detail::PlanState<TrmvProblem, detail::ProductPlan> {
 public:
  State(const Engine& engine, const TrmvProblem& problem, const Choice& choice)
      : PlanState(engine, problem, product_of(problem), choice) {}

  Event enqueue(cl_command_queue queue, const TrmvOperands& operands, std::span<const cl_event> waits) {
    return ProductPlan::enqueue(
        queue,
        {.a = operands.a, .x = operands.x, .y = operands.x, .workspace = operands.workspace, .event = operands.event},
        waits);
  }
};

TILEWRIGHT_DEFINE_PLAN(Trmv)

Event trmv(const Engine& engine, cl_command_queue queue, const TrmvProblem& problem, const TrmvOperands& operands,
           std::span<const cl_event> waits, const Choice& choice) {
  return detail::plan_and_enqueue<TrmvPlan>(engine, queue, problem, operands, waits, choice);
}

}  // namespace tilewright
