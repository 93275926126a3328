#include "cholesky/potrs_state.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/choice_check.hpp"

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
    : PlanState(engine, problem) {
  explanation_.problem = problem_text("potrs", to_string(problem.type), {problem.n, problem.nrhs});
  const TrsmProblem first = triangular_part(problem, false), second = triangular_part(problem, true);
  if (has_few_lines(problem.n, problem.nrhs, problem.batch.count, engine.profile())) {
    const std::array systems{trsm_system(first, engine.profile()), trsm_system(second, engine.profile())};
    few_lines_.emplace(engine, systems);
    explanation_.reason =
        std::string("two triangular systems with few right-hand sides, in one launch by ") + FewLinesSolver::file;
    check_choice(engine, problem.type, choice);
    return;
  }
  first_.emplace(engine, first, choice);
  second_.emplace(engine, second, choice);
  workspace_bytes_ = std::max(first_->workspace_bytes(), second_->workspace_bytes());
  explanation_.reason = "two triangular systems";
  add_part(explanation_, first_->explanation());
  add_part(explanation_, second_->explanation());
}

Event PotrsPlan::State::enqueue(cl_command_queue queue, const PotrsOperands& operands,
                                std::span<const cl_event> waits) {
  check_call(queue, waits);
  check_potrs_operands(context_, asked_, operands, workspace_bytes_);
  if (asked_.n == 0 || asked_.nrhs == 0 || asked_.batch.count == 0) return enqueue_marker(queue, waits);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  if (few_lines_) {
    few_lines_->solve(chain, 1, operands.a, operands.b, {}, operands.event);
    Event last = chain.finish();
    note_enqueued(lock, was_enqueued_, few_lines_->program());
    return last;
  }
  const TrsmOperands both{.a = operands.a, .b = operands.b};
  chain.plan(*first_, both, chain.workspace());
  chain.plan(*second_, both, chain.workspace(), operands.event);
  return chain.finish();
}

}  // namespace tilewright
