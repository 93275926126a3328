#include "cholesky/step_runner.hpp"

#include <algorithm>
#include <string>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/partial_product.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {

StepRunner::StepRunner(const Engine& engine, const PotrfSystem& system, DiagonalTask task, const Choice& choice)
    : system_(system),
      task_(task),
      kernels_(engine, system, task),
      steps_(steps_of({.whole_triangles = true, .solves_below = kernels_.solves_below()})) {
  if (!plan_triangles(engine, choice)) steps_ = steps_of({.solves_below = kernels_.solves_below()});
  exchange_bytes_ = rounded_up(kernels_.exchange_bytes(), static_cast<std::int64_t>(workspace_alignment));
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

PotrfSteps StepRunner::steps_of(const PotrfForms& forms) const {
  return task_ == DiagonalTask::factor ? potrf_steps(system_, kernels_.block(), forms)
                                       : potri_steps(system_, kernels_.block(), forms);
}

// Returns false if gemm cannot compute only a triangle.
bool StepRunner::plan_triangles(const Engine& engine, const Choice& choice) {
  const WantedTriangle triangle{.uplo = system_.problem.uplo, .real_diagonal = is_complex(system_.problem.type)};
  for (const GemmProblem& problem : steps_.triangles) {
    auto plan = PartialProduct::plan(engine, problem, triangle, choice);
    if (!plan) {
      triangles_.clear();
      return false;
    }
    plan_bytes_ = std::max(plan_bytes_, plan->workspace_bytes());
    triangles_.push_back(std::move(*plan));
  }
  return true;
}

void StepRunner::explain(Explanation& explanation) const {
  const std::uint64_t blocks = ceil_div(system_.problem.n, static_cast<std::int64_t>(kernels_.block()));
  explanation.reason = std::to_string(blocks) + (blocks == 1 ? " diagonal block" : " diagonal blocks") +
                       " of at most " + std::to_string(kernels_.block()) + " rows, " + kernels_.verb() + " by " +
                       kernels_.file();
  for (const TrsmPlan& solve : solves_) add_part(explanation, solve.explanation());
  for (const GemmPlan& product : products_) add_part(explanation, product.explanation());
  for (const GemmPlan& product : triangles_) add_part(explanation, product.explanation());
}

void StepRunner::run(CommandChain& chain, const MatrixRef& a, const MatrixRef& info, bool event) {
  const auto& [buffer, offset] = chain.workspace();
  kernels_.begin(chain, {buffer, offset});
  for (const PotrfStep& step : steps_.steps) run(step, chain, a, info, event && &step == &steps_.steps.back());
}

void StepRunner::run(const PotrfStep& step, CommandChain& chain, const MatrixRef& a, const MatrixRef& info,
                     bool event) {
  const auto part = [&](std::uint64_t offset) { return MatrixRef{a.buffer, a.offset + offset}; };
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef tile_products{buffer, (offset + exchange_bytes_) / size_of(system_.problem.type)};
  const WorkspaceRef plan_workspace{buffer, offset + exchange_bytes_ + tile_bytes_};
  using enum PotrfStep::Kind;
  switch (step.kind) {
    case diagonal:
      return kernels_.run_diagonal(chain, step.rows, part(step.c), info, {buffer, offset}, event);
    case subtract:
      return kernels_.subtract(chain, step.plan, step.rows, part(step.c), tile_products, event);
    case solve:
      return chain.plan(solves_[step.plan], TrsmOperands{.alpha = step.alpha, .a = part(step.a), .b = part(step.c)},
                        plan_workspace, event);
    case product:
    case tiles:
    case triangle:
      break;
  }
  const bool is_tiles = step.kind == PotrfStep::Kind::tiles;
  const MatrixRef c = is_tiles ? MatrixRef{buffer, tile_products.offset + step.c} : part(step.c);
  chain.plan(step.kind == PotrfStep::Kind::triangle ? triangles_[step.plan] : products_[step.plan],
             GemmOperands{.alpha = is_tiles ? -step.alpha : step.alpha,
                          .a = part(step.a),
                          .b = part(step.b),
                          .beta = is_tiles ? 0.0 : 1.0,
                          .c = c},
             plan_workspace, event);
}

}  // namespace tilewright::detail
