#include "triangular/trsm_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/choice_check.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright {

using namespace detail;

TrsmPlan::State::State(const Engine& engine, const TrsmProblem& problem, const Choice& choice)
    : PlanState(engine, problem), system_(trsm_system(problem, engine.profile())) {
  const SmallTrsmShape small = system_.empty() ? SmallTrsmShape{} : small_trsm_shape(system_, engine.profile());
  if (small.file != nullptr) {
    small_solver_ = std::make_unique<SmallTrsmSolver>(engine, system_, small);
  } else if (has_few_lines(system_.order, system_.nrhs, problem.batch.count, engine.profile())) {
    few_lines_ = std::make_unique<FewLinesSolver>(engine, std::span(&system_, 1));
  } else if (!system_.empty()) {
    solver_ = std::make_unique<TrsmBlockSolver>(engine, system_);
    plan_steps(engine, choice);
  }
  if (products_.empty()) check_choice(engine, asked_.type, choice);
  explanation_ = explained();
}

void TrsmPlan::State::plan_steps(const Engine& engine, const Choice& choice) {
  steps_ =
      solver_->updates_rows() ? trsm_steps_by_rows(system_, solver_->block()) : trsm_steps(system_, solver_->block());
  packed_bytes_ = rounded_up(solver_->packed_bytes(), static_cast<std::int64_t>(workspace_alignment));
  std::uint64_t product_bytes = 0;
  for (const GemmProblem& product : steps_.products) {
    products_.emplace_back(engine, product, choice);
    product_bytes = std::max(product_bytes, products_.back().workspace_bytes());
  }
  reserve_workspace(engine, packed_bytes_ + product_bytes);
}

Explanation TrsmPlan::State::explained() const {
  Explanation result{.problem = problem_text("trsm", to_string(asked_.type), {asked_.m, asked_.n})};
  if (small_solver_) {
    result.reason = std::string("small systems, solved by ") + small_solver_->file() + ", " +
                    std::to_string(small_solver_->systems()) + " per work-group";
    return result;
  }
  if (few_lines_) {
    result.reason = std::string("few right-hand sides, solved in one launch by ") + FewLinesSolver::file;
    return result;
  }
  if (!solver_) {
    result.reason = "nothing to compute: B has no elements";
    return result;
  }
  const std::uint64_t blocks = solver_->blocks();
  result.reason = std::to_string(blocks) + (blocks == 1 ? " diagonal block" : " diagonal blocks") + " of at most " +
                  std::to_string(solver_->block()) + " rows, solved by " + solver_->file();
  if (blocks > 1 && solver_->updates_rows())
    result.reason += "; with so few right-hand sides, triangular/update_rows.cl subtracts each solved block";
  for (const GemmPlan& product : products_) add_part(result, product.explanation());
  return result;
}

Event TrsmPlan::State::enqueue(cl_command_queue queue, const TrsmOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  check_trsm_operands(context_, system_, operands, workspace_bytes_);
  if (system_.empty()) return enqueue_marker(queue, waits);
  const std::complex<double> alpha = rounded(asked_.type, operands.alpha);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, alpha == 0.0 ? 0 : workspace_bytes_, operands.workspace);
  if (small_solver_)
    small_solver_->solve(chain, alpha, operands.a, operands.b, operands.event);
  else if (few_lines_)
    few_lines_->solve(chain, alpha, operands.a, operands.b, {}, operands.event);
  else if (alpha == 0.0)
    solver_->clear(chain, operands.b, operands.event);
  else
    solve_blocks(chain, operands, alpha);
  Event last = chain.finish();
  note_enqueued(lock, was_enqueued_, program());
  return last;
}

const cl::Program& TrsmPlan::State::program() const {
  if (small_solver_) return small_solver_->program();
  return few_lines_ ? few_lines_->program() : solver_->program();
}

void TrsmPlan::State::solve_blocks(CommandChain& chain, const TrsmOperands& operands, std::complex<double> alpha) {
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef packed{buffer, offset / size_of(system_.problem.type)};
  solver_->pack(chain, operands.a, packed);
  for (const TrsmStep& step : steps_.steps) {
    const std::complex<double> factor = step.scales ? alpha : 1.0;
    const bool event = operands.event && &step == &steps_.steps.back();
    using enum TrsmStep::Kind;
    switch (step.kind) {
      case solve:
        solver_->solve(chain, step.block, factor, packed, operands.b, event);
        break;
      case update:
        solver_->update(chain, step.rest, factor, operands.a, operands.b, event);
        break;
      case product:
        multiply(chain, step, operands, factor, event);
        break;
    }
  }
}

void TrsmPlan::State::multiply(CommandChain& chain, const TrsmStep& step, const TrsmOperands& operands,
                               std::complex<double> factor, bool event) const {
  const MatrixRef triangle{operands.a.buffer, operands.a.offset + step.a};
  const MatrixRef solved{operands.b.buffer, operands.b.offset + step.solved};
  const bool is_left = system_.problem.side == Side::left;
  const auto& [buffer, offset] = chain.workspace();
  chain.plan(products_[step.product],
             GemmOperands{.alpha = -1,
                          .a = is_left ? triangle : solved,
                          .b = is_left ? solved : triangle,
                          .beta = factor,
                          .c = {operands.b.buffer, operands.b.offset + step.rest}},
             {buffer, offset + packed_bytes_}, event);
}

}  // namespace tilewright
