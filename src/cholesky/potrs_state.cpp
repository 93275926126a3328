#include "cholesky/potrs_state.hpp"

#include <algorithm>

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"

namespace tilewright {

using namespace detail;

namespace {

// Returns the first system, L Y = B, or the second, L^H X = Y. An upper factor U is L^H.
TrsmProblem triangular_part(const PotrsProblem& p, bool is_second) {
  const bool is_transposed = is_second == (p.uplo == Uplo::lower);
  return {.type = p.type,
          .layout = p.layout,
          .uplo = p.uplo,
          .trans = is_transposed ? adjoint(p.type) : Transpose::no,
          .m = p.n,
          .n = p.nrhs,
          .lda = p.lda,
          .ldb = p.ldb,
          .offset_alignment = p.offset_alignment,
          .batch = p.batch};
}

}  // namespace

PotrsPlan::State::State(const Engine& engine, const PotrsProblem& problem, const Choice& choice)
    : PlanState(engine, problem),
      first_(engine, triangular_part(problem, false), choice),
      second_(engine, triangular_part(problem, true), choice) {
  workspace_bytes_ = std::max(first_.workspace_bytes(), second_.workspace_bytes());
  explanation_ = {.reason = "two triangular systems",
                  .problem = problem_text("potrs", to_string(problem.type), {problem.n, problem.nrhs})};
  add_part(explanation_, first_.explanation());
  add_part(explanation_, second_.explanation());
}

Event PotrsPlan::State::enqueue(cl_command_queue queue, const PotrsOperands& operands,
                                std::span<const cl_event> waits) const {
  check_call(queue, waits);
  check_potrs_operands(context_, asked_, operands, workspace_bytes_);
  if (asked_.n == 0 || asked_.nrhs == 0 || asked_.batch.count == 0) return enqueue_marker(queue, waits);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  const TrsmOperands both{.a = operands.a, .b = operands.b};
  chain.plan(first_, both, chain.workspace());
  chain.plan(second_, both, chain.workspace(), operands.event);
  return chain.finish();
}

}  // namespace tilewright
