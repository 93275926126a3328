#include "rank_k/rank_k_plan.hpp"

#include <algorithm>
#include <string>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/choice_check.hpp"
#include "kernels/plans/partial_product.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {

RankKPlan::RankKPlan(const Engine& engine, const RankKSystem& system, const Choice& choice, const RankKShape& shape)
    : PlanBase(engine), system_(system), multiplied_(multiplied(system)), shape_(shape) {
  if (!system_.empty()) {
    if (system_.k > 0) plan_products(engine, choice);
    merge_ = std::make_unique<RankKMergeKernel>(engine, multiplied_, shape_);
  }
  if (products_.empty()) check_choice(engine, system_.type, choice);
  explanation_ = explained();
}

void RankKPlan::plan_products(const Engine& engine, const Choice& choice) {
  if (needs_joined_factors(system_)) {
    check_allocation(engine.profile(), bytes_of(system_.n, system_.k, 3 * size_of(system_.type)));
    joined_bytes_ = rounded_up(joined_factors(system_).bytes, static_cast<std::int64_t>(workspace_alignment));
    joiner_ = std::make_unique<FactorJoiner>(engine, system_);
  }
  const bool wants_triangles = !choice.variant.empty() || prefers_triangles(multiplied_, engine.profile());
  if (!wants_triangles || !plan_triangles(engine, choice)) plan_blocks(engine, choice);
  std::uint64_t product_bytes = 0;
  for (const GemmPlan& product : products_) product_bytes = std::max(product_bytes, product.workspace_bytes());
  reserve_workspace(engine, tile_bytes_ + joined_bytes_ + product_bytes);
}

// Plans one product per term. Returns false if gemm cannot compute only a triangle.
bool RankKPlan::plan_triangles(const Engine& engine, const Choice& choice) {
  steps_ = whole_steps(multiplied_);
  const WantedTriangle triangle{.uplo = system_.uplo, .real_diagonal = system_.is_hermitian};
  for (const RankKProduct& product : steps_.products) {
    auto plan = PartialProduct::plan(engine, product.problem, triangle, choice);
    if (!plan) {
      products_.clear();
      return false;
    }
    products_.push_back(std::move(*plan));
  }
  return true;
}

// The workspace is checked before the steps are listed, whose number grows with it.
void RankKPlan::plan_blocks(const Engine& engine, const Choice& choice) {
  const std::uint64_t bytes =
      bytes_of(system_.count, tile_stride(system_, shape_.block), accumulator_bytes(system_.type));
  check_allocation(engine.profile(), bytes);
  tile_bytes_ = rounded_up(bytes, static_cast<std::int64_t>(workspace_alignment));
  steps_ = rank_k_steps(multiplied_, shape_.block, shape_.grid);
  for (const RankKProduct& product : steps_.products) products_.emplace_back(engine, product.problem, choice);
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
  if (steps_.tiles.empty())
    result.reason = "products of the tiles that touch the triangle";
  else
    result.reason = std::to_string(blocks) + (blocks == 1 ? " diagonal block" : " diagonal blocks") + " of at most " +
                    std::to_string(shape_.block) + " rows, merged by rank_k/merge_triangle.cl";
  if (joiner_) result.reason += "; rank_k/join_factors.cl joins A and B, so that each sum is rounded once";
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
  if (multiplies)
    update(chain, call, scalars);
  else
    merge_->scale(chain, scalars.beta, call.matrices[2], call.event);
  Event last = chain.finish();
  note_enqueued(lock, was_enqueued_, merge_->program());
  return last;
}

void RankKPlan::update(CommandChain& chain, const RankKCall& call, const RankKScalars& scalars) const {
  const MatrixRef& c = call.matrices[2];
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef tiles{buffer, offset / accumulator_bytes(system_.type)};
  RankKCall factors = call;
  if (joiner_) {
    const MatrixRef joined{buffer, (offset + tile_bytes_) / size_of(system_.type)};
    joiner_->join(chain, call.matrices[0], call.matrices[1], joined);
    factors.matrices[0] = joined;
    factors.matrices[1] = {joined.buffer, joined.offset + joined_factors(system_).apart};
  }
  const std::vector<RankKTerm>& terms = multiplied_.terms;
  for (const RankKStep& step : steps_.tiles) multiply(chain, terms[0], step, factors, {scalars.alpha, 0}, tiles, false);
  if (!steps_.tiles.empty()) merge_->merge(chain, scalars.beta, c, tiles, call.event && steps_.squares.back().empty());
  for (std::size_t x = 0; x < terms.size(); ++x) {
    const RankKScalars of_term{terms[x].conjugates_alpha ? std::conj(scalars.alpha) : scalars.alpha,
                               x == 0 ? scalars.beta : 1.0};
    for (const RankKStep& step : steps_.squares[x])
      multiply(chain, terms[x], step, factors, of_term, c, call.event && &step == &steps_.squares.back().back());
  }
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
             {buffer, offset + tile_bytes_ + joined_bytes_}, event);
}

}  // namespace tilewright::detail
