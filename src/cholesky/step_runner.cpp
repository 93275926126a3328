#include "cholesky/step_runner.hpp"

#include <algorithm>
#include <string>

#include "kernels/command_chain.hpp"
#include "kernels/explanation.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {

StepRunner::StepRunner(const Engine& engine, const PotrfSystem& system, DiagonalTask task, const Choice& choice)
    : system_(system),
      kernels_(engine, system, task),
      steps_(task == DiagonalTask::factor ? potrf_steps(system, kernels_.block())
                                          : potri_steps(system, kernels_.block())) {
  const std::uint64_t tiles = steps_.max_tiles * kernels_.block() * kernels_.block();
  tile_bytes_ = rounded_up(bytes_of(system_.problem.batch.count, tiles, size_of(system_.problem.type)),
                           static_cast<std::int64_t>(workspace_alignment));
  for (const TrsmProblem& problem : steps_.solves) {
    solves_.emplace_back(engine, problem, choice);
    plan_bytes_ = std::max(plan_bytes_, solves_.back().workspace_bytes());
  }
  for (const GemmProblem& problem : steps_.products) {
    products_.emplace_back(engine, problem, choice);
    plan_bytes_ = std::max(plan_bytes_, products_.back().workspace_bytes());
  }
  for (const PotrfStep& step : steps_.steps)
    if (step.kind == PotrfStep::Kind::subtract) kernels_.prepare_subtract(engine, step.plan, tiles);
}

void StepRunner::explain(Explanation& explanation) const {
  const std::uint64_t blocks = ceil_div(system_.problem.n, static_cast<std::int64_t>(kernels_.block()));
  explanation.reason = std::to_string(blocks) + (blocks == 1 ? " diagonal block" : " diagonal blocks") +
                       " of at most " + std::to_string(kernels_.block()) + " rows, " + kernels_.verb() + " by " +
                       kernels_.file();
  for (const TrsmPlan& solve : solves_) add_part(explanation, solve.explanation());
  for (const GemmPlan& product : products_) add_part(explanation, product.explanation());
}

void StepRunner::run(CommandChain& chain, const MatrixRef& a, const MatrixRef& info, bool event) {
  for (const PotrfStep& step : steps_.steps) run(step, chain, a, info, event && &step == &steps_.steps.back());
}

void StepRunner::run(const PotrfStep& step, CommandChain& chain, const MatrixRef& a, const MatrixRef& info,
                     bool event) {
  const auto part = [&](std::uint64_t offset) { return MatrixRef{a.buffer, a.offset + offset}; };
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef tile_products{buffer, offset / size_of(system_.problem.type)};
  const WorkspaceRef plan_workspace{buffer, offset + tile_bytes_};
  using enum PotrfStep::Kind;
  switch (step.kind) {
    case diagonal:
      return kernels_.run_diagonal(chain, step.rows, part(step.c), info, event);
    case subtract:
      return kernels_.subtract(chain, step.plan, step.rows, part(step.c), tile_products, event);
    case solve:
      return chain.plan(solves_[step.plan], TrsmOperands{.alpha = step.alpha, .a = part(step.a), .b = part(step.c)},
                        plan_workspace, event);
    case product:
    case tiles:
      break;
  }
  const bool is_tiles = step.kind == PotrfStep::Kind::tiles;
  const MatrixRef c = is_tiles ? MatrixRef{buffer, tile_products.offset + step.c} : part(step.c);
  chain.plan(products_[step.plan],
             GemmOperands{.alpha = is_tiles ? -step.alpha : step.alpha,
                          .a = part(step.a),
                          .b = part(step.b),
                          .beta = is_tiles ? 0.0 : 1.0,
                          .c = c},
             plan_workspace, event);
}

}  // namespace tilewright::detail
