#include "symm/symm_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/build_options.hpp"
#include "kernels/command_chain.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/explanation.hpp"
#include "kernels/plans/choice_check.hpp"
#include "kernels/plans/partial_product.hpp"
#include "kernels/scalars.hpp"
#include "kernels/sizes.hpp"

namespace tilewright {

using namespace detail;

SymmPlan::State::State(const Engine& engine, const SymmProblem& problem, const Choice& choice)
    : PlanState(engine, problem), system_(symm_system(problem, engine.profile())), expand_(engine) {
  const char* const name = system_.is_hermitian() ? "hemm" : "symm";
  explanation_.problem = problem_text(name, to_string(asked_.type), {asked_.m, asked_.n}, asked_.batch.count);
  if (system_.empty())
    explanation_.reason = "nothing to compute: C has no elements";
  else
    prepare(engine, choice);
  if (products_.empty()) check_choice(engine, asked_.type, choice);
}

void SymmPlan::State::prepare(const Engine& engine, const Choice& choice) {
  if (!plan_whole(engine, choice)) plan_blocks(engine, choice);
  std::uint64_t product_bytes = 0;
  for (const GemmPlan& product : products_) product_bytes = std::max(product_bytes, product.workspace_bytes());
  reserve_workspace(engine, expanded_bytes_ + product_bytes);
  for (const GemmPlan& product : products_) add_part(explanation_, product.explanation());
}

// Plans one product that packs A from its stored triangle. Returns false if gemm cannot, or if blocks are faster.
bool SymmPlan::State::plan_whole(const Engine& engine, const Choice& choice) {
  if (!may_pack_triangle(system_, engine.profile(), !choice.variant.empty())) return false;
  SymmSteps steps = symm_steps_of_whole(system_);
  auto plan =
      PartialProduct::plan(engine, steps.products.front(),
                           SymmetricFactor{system_.is_left(), system_.problem.uplo, system_.is_hermitian()}, choice);
  if (!plan) return false;
  steps_ = std::move(steps);
  products_.push_back(std::move(*plan));
  explanation_.reason = "one product packs A from its stored triangle";
  return true;
}

void SymmPlan::State::plan_blocks(const Engine& engine, const Choice& choice) {
  const std::uint64_t order = system_.order();
  blocks_ = symm_blocks(system_, engine.profile());
  steps_ = symm_steps(system_, blocks_);
  expanded_bytes_ = rounded_up(bytes_of(order * system_.copies_of_a(), blocks_.ld, size_of(asked_.type)),
                               static_cast<std::int64_t>(workspace_alignment));
  for (const GemmProblem& product : steps_.products) products_.emplace_back(engine, product, choice);
  compile(engine);
  explanation_.reason =
      blocks_.rows == order
          ? "symm/expand.cl writes A as a full matrix"
          : "symm/expand.cl writes diagonal blocks of " + std::to_string(blocks_.rows) +
                " rows as full matrices; the other parts of A are multiplied as stored, and transposed";
}

void SymmPlan::State::compile(const Engine& engine) {
  using namespace argument;
  constexpr KernelArgument a = matrix(0), expanded = matrix(1);
  const SymmProblem& p = system_.problem;
  const DeviceProfile& device = engine.profile();
  const SymmTile tile = symm_tile(p.type, device);
  const auto items = static_cast<std::size_t>(tile.group);
  const std::size_t tiles = ceil_div(blocks_.rows, tile.rows);
  Launch launch{
      .kernel = "expand",
      .arguments = {index(system_.order()), index(blocks_.rows), index(p.uplo == Uplo::upper ? 1 : 0), a, offset(p.lda),
                    offset(p.batch.stride_a), expanded, offset(blocks_.ld), offset(blocks_.stride)},
      .global = {tiles * items, tiles * static_cast<std::size_t>(blocks_.count(system_.order()))},
      .local = {items, 1}};
  const KernelSource source{"symm",
                            {"common/index.cl", "common/transpose_rows.cl", "symm/expand.cl"},
                            language_option() + define("INDEX_BITS", 64) + define("ELEMENT_BYTES", size_of(p.type)) +
                                define("IS_HERMITIAN", system_.is_hermitian() ? 1 : 0) + define("TILE", tile.rows) +
                                define("WG", tile.group) + define_if(device.aligned_buffers, "ALIGNED_BUFFERS")};
  const std::uint64_t copies = system_.copies_of_a();
  expand_.build(engine, source, in_grids({std::move(launch)}, copies, device.max_work_groups),
                {.wide_index = true, .batch_count = copies});
}

Event SymmPlan::State::enqueue(cl_command_queue queue, const SymmOperands& operands, std::span<const cl_event> waits) {
  check_call(queue, waits);
  check_symm_operands(context_, system_, operands, workspace_bytes_);
  if (products_.empty()) return enqueue_marker(queue, waits);
  const bool reads_a = !rounds_to_zero(asked_.type, operands.alpha);
  std::unique_lock lock(mutex_);
  CommandChain chain(queue, waits, *arena_, workspace_bytes_, operands.workspace);
  const auto& [buffer, offset] = chain.workspace();
  const MatrixRef expanded{buffer, offset / size_of(asked_.type)};
  const bool expands = blocks_.rows > 0;
  if (reads_a && expands) expand_.run(chain, {.matrices = {operands.a, expanded}});
  for (const SymmStep& step : steps_.steps) {
    if (!reads_a && !step.scales()) break;  // C is scaled
    const bool is_last = &step == &steps_.steps.back() || (!reads_a && !(&step + 1)->scales());
    const MatrixRef& of = step.is_expanded() ? expanded : operands.a;
    const MatrixRef factor{reads_a ? of.buffer : nullptr, of.offset + step.a};
    const MatrixRef line{reads_a ? operands.b.buffer : nullptr, operands.b.offset + step.b};
    chain.plan(products_[step.product],
               GemmOperands{.alpha = operands.alpha,
                            .a = system_.is_left() ? factor : line,
                            .b = system_.is_left() ? line : factor,
                            .beta = step.scales() ? operands.beta : Scalar(1),
                            .c = {operands.c.buffer, operands.c.offset + step.c}},
               {buffer, offset + expanded_bytes_}, operands.event && is_last);
  }
  Event last = chain.finish();
  if (reads_a && expands) note_enqueued(lock, was_enqueued_, expand_.program());
  return last;
}

}  // namespace tilewright
