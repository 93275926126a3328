#include <algorithm>
#include <string>

#include "kernels/explanation.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "qr/qr_steps.hpp"

namespace tilewright::detail {
namespace {

// Returns the scratch of a factorisation. Its matrices are missing if one launch factors the whole matrix.
QrScratch scratch_of(const QrMatrix& a, const QrShape& shape) {
  QrScratch scratch(a.type, a.layout);
  if (shape.matrices > 0) return scratch;
  const std::uint64_t steps = std::min(a.rows, a.columns), panel = std::min(shape.panel, steps),
                      subpanel = std::min(shape.subpanel, steps);
  if (a.columns <= subpanel) return scratch;
  const std::uint64_t wide = std::max(a.columns - panel, panel);
  scratch.add(QrScratch::vectors, a.rows, panel, a.batch_count);
  scratch.add(QrScratch::factor, panel, panel, a.batch_count);
  scratch.add(QrScratch::subpanel_factor, subpanel, subpanel, a.batch_count);
  scratch.add(QrScratch::gram, panel, panel, a.batch_count);
  scratch.add(QrScratch::products, panel, wide, a.batch_count);
  scratch.add(QrScratch::multiples, panel, wide, a.batch_count);
  return scratch;
}

}  // namespace

QrFactorisation::QrFactorisation(const Engine& engine, const QrMatrix& a, const QrShape& shape,
                                 const QrKernels& kernels, const Choice& products)
    : a_(a), shape_(shape), scratch_(scratch_of(a, shape)) {
  if (shape.matrices > 0) return;
  const std::uint64_t steps = std::min(a.rows, a.columns);
  subpanel_bytes_ = added_bytes(0, kernels.subpanel_bytes(a.rows, steps, a.batch_count));
  const QrView v = scratch_.view(QrScratch::vectors), t = scratch_.view(QrScratch::factor),
               small_t = scratch_.view(QrScratch::subpanel_factor), w = scratch_.view(QrScratch::products),
               x = scratch_.view(QrScratch::multiples);
  // Returns the block of the reflectors first .. first + width - 1, applied to the columns next .. end - 1.
  const auto block_of = [&](std::uint64_t panel, std::uint64_t first, std::uint64_t width, std::uint64_t end) {
    const std::uint64_t next = first + width;
    return BlockProblem{
        .type = a.type,
        .layout = a.layout,
        .is_adjoint = true,
        .order = a.rows - first,
        .width = width,
        .lines = end - next,
        .batch_count = a.batch_count,
        .alignment = alignment_of_parts(a.offset_alignment, {a.view().from(first, next).at.offset,
                                                             v.from(first - panel, first - panel).at.offset})};
  };
  for (std::uint64_t begin = 0; begin < steps; begin += shape.panel) {
    Panel panel{.begin = begin, .end = std::min(begin + shape.panel, steps)};
    for (std::uint64_t first = begin; first + shape.subpanel < panel.end; first += shape.subpanel)
      panel.subpanels.emplace_back(engine, block_of(begin, first, shape.subpanel, panel.end), v, small_t, a.view(), w,
                                   x, products);
    if (panel.end < a.columns) {
      const BlockProblem block = block_of(begin, begin, panel.end - begin, a.columns);
      panel.trailing.emplace(engine, block, v, panel.subpanels.empty() ? small_t : t, a.view(), w, x, products);
      if (!panel.subpanels.empty()) panel.factor.emplace(engine, block, v, scratch_.view(QrScratch::gram), products);
    }
    panels_.push_back(std::move(panel));
  }
  for (const Panel& panel : panels_) {
    for (const BlockReflector& subpanel : panel.subpanels)
      plan_bytes_ = std::max(plan_bytes_, subpanel.workspace_bytes());
    if (panel.factor) plan_bytes_ = std::max(plan_bytes_, panel.factor->workspace_bytes());
    if (panel.trailing) plan_bytes_ = std::max(plan_bytes_, panel.trailing->workspace_bytes());
  }
}

std::uint64_t QrFactorisation::workspace_bytes() const {
  return added_bytes(added_bytes(scratch_.bytes(), subpanel_bytes_), plan_bytes_);
}

void QrFactorisation::explain(Explanation& explanation) const {
  if (shape_.matrices > 0)
    return add_reason(explanation, "small matrices, factored by qr/factor_small.cl, " +
                                       std::to_string(shape_.matrices) + " per work-group");
  const std::string worker = shape_.by_items ? "one work-item" : "work-groups";
  const std::uint64_t width = std::min({shape_.subpanel, a_.rows, a_.columns});
  add_reason(explanation, "sub-panels of " + std::to_string(width) + " columns, each factored by " + worker +
                              " per matrix" + (panels_.size() > 1 ? "" : ", in one panel"));
  if (panels_.size() > 1)
    add_reason(explanation,
               "the trailing matrix is updated after panels of " + std::to_string(shape_.panel) + " columns");
  for (const Panel& panel : panels_) {
    for (const BlockReflector& subpanel : panel.subpanels) subpanel.explain(explanation);
    if (panel.factor) panel.factor->explain(explanation);
    if (panel.trailing) panel.trailing->explain(explanation);
  }
}

void QrFactorisation::enqueue(CommandChain& chain, const QrKernels& kernels, const QrView& a, const QrVector& tau,
                              const WorkspaceRef& workspace) const {
  if (shape_.matrices > 0) return kernels.factor_small(chain, a, a_.rows, a_.columns, tau, a_.batch_count);
  const WorkspaceRef subpanels = after(workspace, scratch_.bytes()), plans = after(subpanels, subpanel_bytes_);
  kernels.begin(chain, a_.rows, a_.batch_count, subpanels);
  const QrView v = scratch_.view(QrScratch::vectors, workspace), w = scratch_.view(QrScratch::products, workspace),
               x = scratch_.view(QrScratch::multiples, workspace), t = scratch_.view(QrScratch::factor, workspace);
  for (const Panel& panel : panels_) {
    factor_panel(chain, kernels, panel, a, tau, workspace, plans);
    if (panel.factor)
      panel.factor->enqueue(chain, kernels, v, tau.from(panel.begin), scratch_.view(QrScratch::gram, workspace), t,
                            plans);
    if (panel.trailing)
      panel.trailing->enqueue(chain, v, panel.factor ? t : scratch_.view(QrScratch::subpanel_factor, workspace),
                              a.from(panel.begin, panel.end), w, x, plans);
  }
}

void QrFactorisation::factor_panel(CommandChain& chain, const QrKernels& kernels, const Panel& panel, const QrView& a,
                                   const QrVector& tau, const WorkspaceRef& workspace,
                                   const WorkspaceRef& plans) const {
  const QrView v = scratch_.view(QrScratch::vectors, workspace), w = scratch_.view(QrScratch::products, workspace),
               x = scratch_.view(QrScratch::multiples, workspace),
               t = scratch_.view(QrScratch::subpanel_factor, workspace);
  const bool has_uses = !panel.subpanels.empty() || panel.trailing.has_value();
  auto update = panel.subpanels.begin();
  for (std::uint64_t first = panel.begin; first < panel.end; first += shape_.subpanel) {
    const std::uint64_t width = std::min(shape_.subpanel, panel.end - first), above = first - panel.begin;
    const SubpanelOutputs outputs{.v = v.from(0, above), .t = t, .above = above};
    kernels.factor_subpanel(chain, a.from(first, first), a_.rows - first, width, tau.from(first),
                            has_uses ? &outputs : nullptr, a_.batch_count, after(workspace, scratch_.bytes()));
    if (update != panel.subpanels.end())
      (update++)->enqueue(chain, v.from(above, above), t, a.from(first, first + width), w, x, plans);
  }
}

}  // namespace tilewright::detail
