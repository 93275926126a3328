#include "rank_k/rank_k_plan.hpp"

#include <algorithm>
#include <string>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {

RankKPlan::RankKPlan(const Engine& engine, const RankKSystem& system, const Choice& choice, const RankKShape& shape)
    : PlanBase(engine), system_(system), shape_(shape) {
  if (!system_.empty()) {
    if (system_.k > 0) plan_products(engine, choice);
    merge_ = std::make_unique<RankKMergeKernel>(engine, system_, shape_);
  }
  explanation_ = explained();
}

// The workspace is checked before the steps are listed, whose number grows with it.
void RankKPlan::plan_products(const Engine& engine, const Choice& choice) {
  const std::uint64_t bytes = bytes_of(system_.count, tile_stride(system_, shape_.block), size_of(system_.type));
  check_allocation(engine.profile(), bytes);
  tile_bytes_ = rounded_up(bytes, static_cast<std::int64_t>(workspace_alignment));
  steps_ = rank_k_steps(system_, shape_.block, shape_.grid);
  std::uint64_t product_bytes = 0;
  for (const RankKProduct& product : steps_.products) {
    products_.emplace_back(engine, product.problem, choice);
    product_bytes = std::max(product_bytes, products_.back().workspace_bytes());
  }
  reserve_workspace(engine, tile_bytes_ + product_bytes);
}

Explanation RankKPlan::explained() const {
  Explanation result{.problem =
                         problem_text(system_.name, to_string(system_.type), {system_.n, system_.k}, system_.count)};
  if (!merge_) {
    result.reason = "nothing to compute: C has no elements";
    return result;
  }
  if (system_.k == 0) {
    result.reason = "no products, as k is 0: C is multiplied by beta";
    return result;
  }
  const std::uint64_t blocks = ceil_div(system_.n, static_cast<std::int64_t>(shape_.block));
  result.reason = std::to_string(blocks) + (blocks == 1 ? " diagonal block" : " diagonal blocks") + " of at most " +
                  std::to_string(shape_.block) + " rows, merged by rank_k/merge_triangle.cl";
  for (const GemmPlan& product : products_) add_part(result, product.explanation());
  return result;
}

Event RankKPlan::enqueue(cl_command_queue queue, const RankKCall& call, std::span<const cl_event> waits) {
  check_call(queue, waits);
  const RankKScalars scalars = rank_k_scalars(system_, call);
  check_rank_k_operands(context_, system_, call, scalars, workspace_bytes_);
  const bool multiplies = system_.k > 0 && scalars.alpha != 0.0;
  if (!merge_ || (!multiplies && scalars.beta == 1.0)) return enqueue_marker(queue, waits);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, multiplies ? workspace_bytes_ : 0, call.workspace);
  const MatrixRef& c = call.matrices[2];
  if (!multiplies) {
    merge_->scale(chain, scalars.beta, c, call.event);
    return chain.finish();
  }
  const MatrixRef tiles{chain.workspace().buffer, chain.workspace().offset / size_of(system_.type)};
  for (const RankKStep& step : steps_.tiles)
    multiply(chain, system_.terms[0], step, call, {scalars.alpha, 0}, tiles, false);
  merge_->merge(chain, scalars.beta, c, tiles, call.event && steps_.squares.back().empty());
  for (std::size_t x = 0; x < system_.terms.size(); ++x) {
    const RankKTerm& term = system_.terms[x];
    const RankKScalars factors{term.conjugates_alpha ? std::conj(scalars.alpha) : scalars.alpha,
                               x == 0 ? scalars.beta : 1.0};
    for (const RankKStep& step : steps_.squares[x])
      multiply(chain, term, step, call, factors, c, call.event && &step == &steps_.squares.back().back());
  }
  Event last = chain.finish();
  note_enqueued(lock, was_enqueued_, merge_->program());
  return last;
}

void RankKPlan::multiply(CommandChain& chain, const RankKTerm& term, const RankKStep& step, const RankKCall& call,
                         const RankKScalars& scalars, const MatrixRef& result, bool event) const {
  const MatrixRef &left = call.matrices[term.left], &right = call.matrices[term.right];
  const auto& offsets = steps_.products[step.product].offsets;
  const auto& [buffer, offset] = chain.workspace();
  chain.plan(products_[step.product],
             GemmOperands{.alpha = scalars.alpha,
                          .a = {left.buffer, left.offset + step.places[0]},
                          .b = {right.buffer, right.offset + step.places[1]},
                          .beta = scalars.beta,
                          .c = {result.buffer, result.offset + step.places[2]},
                          .offsets = {offsets[0], offsets[1], offsets[2]}},
             {buffer, offset + tile_bytes_}, event);
}

}  // namespace tilewright::detail
