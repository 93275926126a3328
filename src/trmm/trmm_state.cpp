#include "trmm/trmm_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/command_chain.hpp"
#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/plans/choice_check.hpp"
#include "kernels/plans/partial_product.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"

namespace tilewright {

using namespace detail;

TrmmPlan::State::State(const Engine& engine, const TrmmProblem& problem, const Choice& choice)
    : PlanState(engine, problem), system_(trmm_system(problem, engine.profile())) {
  explanation_.problem = problem_text("trmm", to_string(asked_.type), {asked_.m, asked_.n}, asked_.batch.count);
  if (system_.empty())
    explanation_.reason = "nothing to compute: B has no elements";
  else
    prepare(engine, choice);
  if (products_.empty()) check_choice(engine, asked_.type, choice);
}

void TrmmPlan::State::prepare(const Engine& engine, const Choice& choice) {
  if (plan_whole(engine, choice)) return;
  TrmmShape shape = trmm_shape(system_, engine.profile());
  if (plan_copy(engine, choice, shape)) return;
  if (!plan_range(engine, choice, shape)) plan_levels(engine, choice, shape);
  multiplier_ = std::make_unique<TrmmBlockMultiplier>(engine, system_, shape, steps_.copy);
  reserve(engine);
  explanation_.reason = reason_for(shape);
}

void TrmmPlan::State::reserve(const Engine& engine) {
  copy_bytes_ = rounded_up(bytes_of(steps_.copy.stride, system_.problem.batch.count, accumulator_bytes(asked_.type)),
                           static_cast<std::int64_t>(workspace_alignment));
  std::uint64_t product_bytes = 0;
  for (const GemmPlan& product : products_) product_bytes = std::max(product_bytes, product.workspace_bytes());
  reserve_workspace(engine, copy_bytes_ + product_bytes);
  for (const GemmPlan& product : products_) add_part(explanation_, product.explanation());
}

// Plans one product that leaves out the zeros of T. Returns false if gemm cannot, or if blocks are faster.
bool TrmmPlan::State::plan_whole(const Engine& engine, const Choice& choice) {
  if (!may_multiply_whole(system_, engine.profile(), !choice.variant.empty())) return false;
  steps_ = trmm_steps_of_whole(system_);
  const TrmmProduct& product = steps_.products.front();
  auto plan = PartialProduct::plan(engine, product.problem, *product.range, choice);
  if (!plan) return false;
  products_.push_back(std::move(*plan));
  reserve(engine);
  explanation_.reason = "one product leaves out the zeros of A";
  return true;
}

// Plans one product of T and a copy of B. Returns false if gemm cannot, or if blocks are faster.
bool TrmmPlan::State::plan_copy(const Engine& engine, const Choice& choice, const TrmmShape& shape) {
  const std::uint64_t lines = trmm_lines_per_block(shape, system_, engine.profile());
  if (lines == 0) return false;
  steps_ = trmm_steps_of_copy(system_, lines);
  const TrmmProduct& product = steps_.products.front();
  auto plan = PartialProduct::plan(engine, product.problem, *product.range, choice);
  if (!plan) return false;
  products_.push_back(std::move(*plan));
  const TrmmProblem& p = system_.problem;
  copier_.emplace(engine,
                  TransposeProblem{
                      .type = p.type,
                      .trans = Transpose::no,
                      .m = p.m,
                      .n = p.n,
                      .lda = p.ldb,
                      .ldb = steps_.copy.ld(),
                      .offset_alignment = alignment_of_parts(p.offset_alignment, {}),
                      .batch = {.count = p.batch.count, .stride_a = p.batch.stride_b, .stride_b = steps_.copy.stride}});
  reserve(engine);
  explanation_.reason = "B is copied, and one product leaves out the zeros of A";
  return true;
}

// Plans one product for everything outside squares on the diagonal; all rows are then one part. Returns false if gemm
// cannot leave out the zeros of its triangular factor.
bool TrmmPlan::State::plan_range(const Engine& engine, const Choice& choice, TrmmShape& shape) {
  const std::uint64_t square = trmm_square(shape, system_, engine.profile());
  if (square == 0) return false;
  steps_ = trmm_steps_with_range(system_, static_cast<std::uint64_t>(shape.block), square);
  // The product with the range comes last, and decides.
  const TrmmProduct& large = steps_.products.back();
  auto plan = PartialProduct::plan(engine, large.problem, *large.range, choice);
  if (!plan) return false;
  for (const TrmmProduct& product : steps_.products)
    if (!product.range) products_.emplace_back(engine, product.problem, choice);
  products_.push_back(std::move(*plan));
  shape.part = rounded_up(system_.order, shape.block);
  return true;
}

void TrmmPlan::State::plan_levels(const Engine& engine, const Choice& choice, const TrmmShape& shape) {
  steps_ = trmm_steps(system_, static_cast<std::uint64_t>(shape.block), shape.part);
  for (const TrmmProduct& product : steps_.products) products_.emplace_back(engine, product.problem, choice);
}

std::string TrmmPlan::State::reason_for(const TrmmShape& shape) const {
  const std::uint64_t blocks = ceil_div(system_.order, shape.block);
  std::string reason = std::to_string(blocks) + (blocks == 1 ? " diagonal block" : " diagonal blocks") +
                       " of at most " + std::to_string(shape.block) + " rows, multiplied by " + shape.file;
  if (steps_.copy.holds_sums)
    reason += "; sums of " + std::to_string(steps_.copy.rows) +
              " rows are kept in f32, and rounded to B once by trmm/round_sums.cl";
  else if (steps_.copy.rows > 0)
    reason +=
        "; " + std::to_string(steps_.copy.rows) + " rows of B are copied, so that equal products run in one launch";
  if (!steps_.products.empty() && steps_.products.back().range)
    reason += "; one product leaves out the zeros outside squares of " +
              std::to_string(steps_.products.back().range->block) + " rows on the diagonal";
  return reason;
}

Event TrmmPlan::State::enqueue(cl_command_queue queue, const TrmmOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  check_trmm_operands(context_, system_, operands, workspace_bytes_);
  if (products_.empty() && !multiplier_) return enqueue_marker(queue, waits);
  const std::complex<double> alpha = rounded(asked_.type, operands.alpha);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, alpha == 0.0 ? 0 : workspace_bytes_, operands.workspace);
  if (alpha == 0.0 && multiplier_)
    multiplier_->clear(chain, operands.b, operands.event);
  else
    run_steps(chain, operands, alpha);
  Event last = chain.finish();
  if (multiplier_) note_enqueued(lock, was_enqueued_, multiplier_->program());
  return last;
}

void TrmmPlan::State::run_steps(CommandChain& chain, const TrmmOperands& operands, std::complex<double> alpha) {
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef w{buffer, offset / accumulator_bytes(asked_.type)};
  for (const TrmmStep& step : steps_.steps) {
    const bool event = operands.event && &step == &steps_.steps.back();
    using enum TrmmStep::Kind;
    switch (step.kind) {
      case copy:
        if (alpha != 0.0) chain.plan(*copier_, TransposeOperands{.a = operands.b, .b = w}, {}, event);
        break;
      case blocks:
        multiplier_->multiply(chain, step.first, alpha, operands.a, operands.b, w, event);
        break;
      case product:
      case whole:
        multiply(chain, step, operands, w, event);
        break;
      case round:
        multiplier_->round(chain, step.first, operands.b, w, event);
        break;
    }
  }
}

void TrmmPlan::State::multiply(CommandChain& chain, const TrmmStep& step, const TrmmOperands& operands,
                               const MatrixRef& copy, bool event) const {
  const MatrixRef triangle{operands.a.buffer, operands.a.offset + step.a};
  const MatrixRef& from = step.from_copy ? copy : operands.b;
  const MatrixRef source{from.buffer, from.offset + step.source};
  const MatrixRef& to = steps_.copy.holds_sums ? copy : operands.b;
  const auto& [buffer, offset] = chain.workspace();
  chain.plan(products_[step.product],
             GemmOperands{.alpha = operands.alpha,
                          .a = system_.is_left() ? triangle : source,
                          .b = system_.is_left() ? source : triangle,
                          .beta = step.kind == TrmmStep::Kind::whole ? 0 : 1,
                          .c = {to.buffer, to.offset + step.target}},
             {buffer, offset + copy_bytes_}, event);
}

}  // namespace tilewright
