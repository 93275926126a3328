#include "qr/qr_steps.hpp"

#include <algorithm>
#include <string>

#include "kernels/explanation.hpp"
#include "kernels/operands/parts_alignment.hpp"

namespace tilewright::detail {
namespace {

// Adds V, T and V^H V of a block of reflectors, and W and X for products with `lines` columns or rows.
QrScratch block_scratch(const QrMatrix& a, std::uint64_t count, Side side, std::uint64_t lines,
                        std::uint64_t batch_count, const QrShape& shape) {
  QrScratch scratch(a.type, a.layout);
  const std::uint64_t width = std::min(shape.panel, count);
  scratch.add(QrScratch::vectors, a.rows, width, a.batch_count);
  scratch.add(QrScratch::factor, width, width, a.batch_count);
  scratch.add(QrScratch::gram, width, width, a.batch_count);
  for (const QrScratch::Part part : {QrScratch::products, QrScratch::multiples})
    scratch.add(part, side == Side::left ? width : lines, side == Side::left ? lines : width, batch_count);
  return scratch;
}

BlockProblem block_problem(const QrMatrix& a, const QrBlocks& blocks, std::size_t block) {
  return {.type = a.type,
          .layout = a.layout,
          .order = blocks.order(block),
          .width = blocks.width(block),
          .batch_count = a.batch_count};
}

}  // namespace

QrBlocks::QrBlocks(const Engine& engine, const QrMatrix& a, std::uint64_t count, const QrShape& shape,
                   QrScratch& scratch, const Choice& products)
    : a_(a), count_(count), width_(shape.panel) {
  for (std::uint64_t begin = 0; begin < count; begin += width_) {
    BlockProblem problem{.type = a.type,
                         .layout = a.layout,
                         .order = a.rows - begin,
                         .width = std::min(width_, count - begin),
                         .batch_count = a.batch_count,
                         .alignment = largest_offset_alignment};
    factors_.emplace_back(engine, problem, scratch.view(QrScratch::vectors), scratch.view(QrScratch::gram), products);
  }
}

std::uint64_t QrBlocks::workspace_bytes() const {
  std::uint64_t bytes = 0;
  for (const BlockFactor& factor : factors_) bytes = std::max(bytes, factor.workspace_bytes());
  return bytes;
}

void QrBlocks::explain(Explanation& explanation) const {
  for (const BlockFactor& factor : factors_) factor.explain(explanation);
}

void QrBlocks::expand(CommandChain& chain, const QrKernels& kernels, std::size_t block, const QrView& a,
                      const QrVector& tau, const QrScratch& scratch, const WorkspaceRef& workspace,
                      const WorkspaceRef& plans) const {
  const std::uint64_t begin = first(block);
  const QrView v = scratch.view(QrScratch::vectors, workspace);
  kernels.expand(chain, order(block), width(block), v, a.from(begin, begin), a_.batch_count);
  factors_[block].enqueue(chain, kernels, v, tau.from(begin), scratch.view(QrScratch::gram, workspace),
                          scratch.view(QrScratch::factor, workspace), plans);
}

QrApplication::QrApplication(const Engine& engine, const QrMatrix& a, std::uint64_t count, Side side, bool is_adjoint,
                             const QrView& c, std::uint64_t lines, std::uint64_t batch_count, const QrShape& shape,
                             const Choice& products)
    : side_(side),
      is_forward_((side == Side::left) == is_adjoint),
      scratch_(block_scratch(a, count, side, lines, batch_count, shape)),
      blocks_(engine, a, count, shape, scratch_, products),
      plan_bytes_(blocks_.workspace_bytes()) {
  // Products share one Q if there is one matrix of reflectors for all of them.
  const auto shared = [&](QrView view) {
    if (a.batch_count != batch_count) view.stride = 0;
    return view;
  };
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const std::uint64_t begin = blocks_.first(block);
    const QrView part = side == Side::left ? c.from(begin, 0) : c.from(0, begin);
    BlockProblem problem = block_problem(a, blocks_, block);
    problem.side = side;
    problem.is_adjoint = is_adjoint;
    problem.lines = lines;
    problem.batch_count = batch_count;
    problem.alignment = alignment_of_parts(a.offset_alignment, {part.at.offset});
    products_.emplace_back(engine, problem, shared(scratch_.view(QrScratch::vectors)),
                           shared(scratch_.view(QrScratch::factor)), c, scratch_.view(QrScratch::products),
                           scratch_.view(QrScratch::multiples), products);
    plan_bytes_ = std::max(plan_bytes_, products_.back().workspace_bytes());
  }
}

void QrApplication::explain(Explanation& explanation) const {
  add_reason(explanation, "blocks of " + std::to_string(blocks_.width(0)) + " reflectors");
  blocks_.explain(explanation);
  for (const BlockReflector& product : products_) product.explain(explanation);
}

void QrApplication::enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& a, const QrVector& tau,
                            const QrView& c, const WorkspaceRef& workspace) const {
  const WorkspaceRef plans = after(workspace, scratch_.bytes());
  for (std::size_t step = 0; step < blocks_.size(); ++step) {
    const std::size_t block = is_forward_ ? step : blocks_.size() - 1 - step;
    const std::uint64_t begin = blocks_.first(block);
    blocks_.expand(chain, kernels, block, a, tau, scratch_, workspace, plans);
    products_[block].enqueue(
        chain, scratch_.view(QrScratch::vectors, workspace), scratch_.view(QrScratch::factor, workspace),
        side_ == Side::left ? c.from(begin, 0) : c.from(0, begin), scratch_.view(QrScratch::products, workspace),
        scratch_.view(QrScratch::multiples, workspace), plans);
  }
}

QrGeneration::QrGeneration(const Engine& engine, const QrMatrix& a, std::uint64_t count, const QrShape& shape,
                           const Choice& products)
    : a_(a),
      count_(count),
      scratch_(block_scratch(a, count, Side::left, a.columns, a.batch_count, shape)),
      blocks_(engine, a, count, shape, scratch_, products),
      plan_bytes_(blocks_.workspace_bytes()) {
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const std::uint64_t begin = blocks_.first(block);
    BlockProblem problem = block_problem(a, blocks_, block);
    problem.lines = a.columns - begin;
    problem.alignment = alignment_of_parts(a.offset_alignment, {a.view().from(begin, begin).at.offset});
    products_.emplace_back(engine, problem, scratch_.view(QrScratch::vectors), scratch_.view(QrScratch::factor),
                           a.view(), scratch_.view(QrScratch::products), scratch_.view(QrScratch::multiples), products);
    plan_bytes_ = std::max(plan_bytes_, products_.back().workspace_bytes());
  }
}

void QrGeneration::explain(Explanation& explanation) const {
  if (count_ == 0) return add_reason(explanation, "Q is the identity, because there are no reflectors");
  add_reason(explanation, "blocks of " + std::to_string(blocks_.width(0)) + " reflectors are applied to the identity");
  blocks_.explain(explanation);
  for (const BlockReflector& product : products_) product.explain(explanation);
}

// Q = (I - V T V^H) .. E for the first columns E of the identity. The last block changes only rows and columns from its
// own first one on, and so on, so each block's columns of E are set just before its turn.
void QrGeneration::enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& a, const QrVector& tau,
                           const WorkspaceRef& workspace) const {
  const WorkspaceRef plans = after(workspace, scratch_.bytes());
  const auto set_columns = [&](std::uint64_t begin, std::uint64_t end) {
    // Row i of these columns has its one in column i - begin.
    kernels.identity(chain, a_.rows, end - begin, begin, a.from(0, begin), a_.batch_count);
  };
  set_columns(count_, a_.columns);
  for (std::size_t block = blocks_.size(); block-- > 0;) {
    const std::uint64_t begin = blocks_.first(block), end = begin + blocks_.width(block);
    blocks_.expand(chain, kernels, block, a, tau, scratch_, workspace, plans);
    set_columns(begin, end);
    products_[block].enqueue(chain, scratch_.view(QrScratch::vectors, workspace),
                             scratch_.view(QrScratch::factor, workspace), a.from(begin, begin),
                             scratch_.view(QrScratch::products, workspace),
                             scratch_.view(QrScratch::multiples, workspace), plans);
  }
}

}  // namespace tilewright::detail
