#include "lu/lu_steps.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "kernels/explanation.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/sizes.hpp"
#include "lu/lu_explanation.hpp"

namespace tilewright::detail {
namespace {

// Returns the product that updates the trailing matrix after the panel of columns begin .. end - 1.
GemmProblem product_of(const LuProblem& p, std::uint64_t begin, std::uint64_t end) {
  const LuView a = view_of({}, p.layout, p.lda, p.batch.stride_a);
  const std::uint64_t alignment = alignment_of_parts(
      p.offset_alignment, {a.from(end, begin).at.offset, a.from(begin, end).at.offset, a.from(end, end).at.offset});
  return {.type = p.type,
          .layout = p.layout,
          .m = p.m - end,
          .n = p.n - end,
          .k = end - begin,
          .lda = p.lda,
          .ldb = p.lda,
          .ldc = p.lda,
          .offset_alignment = alignment,
          .batch = {.count = p.batch.count,
                    .stride_a = p.batch.stride_a,
                    .stride_b = p.batch.stride_a,
                    .stride_c = p.batch.stride_a}};
}

// Returns how many columns of an inverse have a system with L of their own: at least a diagonal block of trsm on CPUs.
// Eight systems leave out most of the zeros.
std::uint64_t inverse_width(std::uint64_t n) {
  constexpr std::int64_t block = 128, systems = 8;
  return rounded_up(ceil_div(n, systems), block);
}

// Returns the system for the columns of L^-1 from `begin` on, without the rows above.
TrsmProblem part_of_inverse(const TrsmProblem& whole, std::uint64_t begin, std::uint64_t width) {
  TrsmProblem part = whole;
  part.m = whole.m - begin;
  part.n = std::min(width, part.m);
  const std::uint64_t of_a = begin * (whole.lda + 1), of_b = begin * (whole.ldb + 1);
  part.offset_alignment = alignment_of_parts(whole.offset_alignment, {of_a, of_b});
  return part;
}

}  // namespace

LuFactorisation::LuFactorisation(const Engine& engine, const LuProblem& problem, const LuShape& shape,
                                 const Choice& products)
    : problem_(problem), shape_(shape) {
  if (shape.one_launch) return;
  const std::uint64_t steps = std::min(problem.m, problem.n);
  for (std::uint64_t begin = 0; begin < steps; begin += shape.panel) {
    const std::uint64_t end = std::min(begin + shape.panel, steps);
    products_.emplace_back();
    if (end < problem.m && end < problem.n) products_.back().emplace(engine, product_of(problem, begin, end), products);
  }
}

std::uint64_t LuFactorisation::workspace_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& product : products_)
    if (product) bytes = std::max(bytes, product->workspace_bytes());
  return bytes;
}

void LuFactorisation::explain(Explanation& explanation) const {
  if (shape_.matrices > 0)
    return add_reason(explanation, "small matrices, factored by lu/factor_small.cl, " +
                                       std::to_string(shape_.matrices) + " per work-group");
  const std::string worker = shape_.by_items ? "one work-item" : "work-groups";
  if (shape_.one_launch) return add_reason(explanation, "one work-item factors each matrix, in one launch");
  const std::uint64_t width = std::min({shape_.subpanel, problem_.m, problem_.n});
  add_reason(explanation, "sub-panels of " + std::to_string(width) + " columns, each factored by " + worker +
                              " per matrix" + (products_.size() > 1 ? "" : ", in one panel"));
  if (products_.size() > 1)
    add_reason(explanation,
               "the trailing matrix is updated after panels of " + std::to_string(shape_.panel) + " columns");
  for (const auto& product : products_)
    if (product) add_part(explanation, product->explanation());
}

void LuFactorisation::enqueue(CommandChain& chain, const LuKernels& kernels, const LuView& a, const LuIntegers& pivots,
                              const LuIntegers& info, const WorkspaceRef& subpanels,
                              const WorkspaceRef& products) const {
  const std::uint64_t steps = std::min(problem_.m, problem_.n);
  kernels.begin(chain, subpanels);
  if (shape_.one_launch) return kernels.factor_whole(chain, a, problem_.m, problem_.n, pivots, info, subpanels);
  // A launch that writes info.
  if (steps == 0 && shape_.by_items) return kernels.factor_panel(chain, a, 0, 0, 0, pivots, info, subpanels);
  if (steps == 0) return kernels.factor_subpanel(chain, a, 0, 0, 0, pivots, info, subpanels);
  std::size_t panel = 0;
  for (std::uint64_t begin = 0; begin < steps; begin += shape_.panel, ++panel) {
    const std::uint64_t end = std::min(begin + shape_.panel, steps), width = end - begin;
    if (shape_.by_items) {
      const LuView part = a.from(begin, begin);
      kernels.factor_panel(chain, part, problem_.m - begin, width, begin, pivots, info, subpanels);
      kernels.store_panel(chain, part, problem_.m - begin, width, begin, problem_.n - end, pivots, subpanels);
    } else {
      factor_panel(chain, kernels, a, begin, end, pivots, info, subpanels);
      kernels.interchange_rows(chain, a, {problem_.n - width, begin, width}, begin, width, false, pivots);
      solve_for_rows(chain, kernels, a, begin, end);
    }
    if (products_[panel])
      chain.plan(
          *products_[panel],
          GemmOperands{
              .alpha = -1, .a = a.from(end, begin).at, .b = a.from(begin, end).at, .beta = 1, .c = a.from(end, end).at},
          products);
  }
  if (!shape_.by_items) return;
  // Columns to the left are interchanged once for all later panels, so that each is read once.
  for (std::uint64_t end = shape_.panel; end < steps; end += shape_.panel)
    kernels.interchange_rows(chain, a.from(0, end - shape_.panel), {shape_.panel, shape_.panel, 0}, end, steps - end,
                             false, pivots);
}

void LuFactorisation::factor_panel(CommandChain& chain, const LuKernels& kernels, const LuView& a, std::uint64_t begin,
                                   std::uint64_t end, const LuIntegers& pivots, const LuIntegers& info,
                                   const WorkspaceRef& subpanels) const {
  for (std::uint64_t first = begin; first < end; first += shape_.subpanel) {
    const std::uint64_t width = std::min(shape_.subpanel, end - first), next = first + width;
    kernels.factor_subpanel(chain, a.from(first, first), problem_.m - first, width, first, pivots, info, subpanels);
    kernels.interchange_rows(chain, a.from(0, begin), {end - begin - width, first - begin, width}, first, width, false,
                             pivots);
    kernels.solve(chain, a.from(first, first), width, a.from(first, next), end - next);
    kernels.update(chain, a.from(next, first), a.from(first, next), a.from(next, next), problem_.m - next, end - next,
                   width);
  }
}

void LuFactorisation::solve_for_rows(CommandChain& chain, const LuKernels& kernels, const LuView& a,
                                     std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t columns = problem_.n - end;
  for (std::uint64_t first = begin; first < end; first += shape_.subpanel) {
    const std::uint64_t width = std::min(shape_.subpanel, end - first), next = first + width;
    kernels.solve(chain, a.from(first, first), width, a.from(first, end), columns);
    kernels.update(chain, a.from(next, first), a.from(first, end), a.from(next, end), end - next, columns, width);
  }
}

LuSolution::LuSolution(const Engine& engine, const LuProblem& problem, const LuShape& shape, const Choice& products)
    : problem_(problem) {
  TrsmProblem system{
      .type = problem.type,
      .layout = problem.layout,
      .uplo = Uplo::lower,
      .trans = problem.trans,
      .diag = Diag::unit,
      .m = problem.n,
      .n = problem.nrhs,
      .lda = problem.lda,
      .ldb = problem.ldb,
      .offset_alignment = problem.offset_alignment,
      .batch = {.count = problem.batch.count, .stride_a = problem.batch.stride_a, .stride_b = problem.batch.stride_b}};
  TrsmProblem of_upper = system;
  of_upper.uplo = Uplo::upper;
  of_upper.diag = Diag::non_unit;
  const bool inverts = problem.task == LuTask::getri;
  if (!inverts && has_few_lines(problem.n, problem.nrhs, problem.batch.count, engine.profile())) {
    const bool transposed = problem.trans != Transpose::no;
    std::array systems{trsm_system(system, engine.profile()), trsm_system(of_upper, engine.profile())};
    if (transposed) std::swap(systems[0], systems[1]);
    few_lines_.emplace(engine, systems, transposed ? Interchanges::after : Interchanges::before,
                       problem.batch.count > 1 ? problem.batch.stride_pivots : 0);
    return;
  }
  // One work-group solves a small system, which is too slow for many right-hand sides.
  is_small_ = problem.n <= shape.capacity && problem.nrhs <= 1024;
  if (is_small_) return;
  if (shape.by_items && inverts) {
    inverse_width_ = inverse_width(problem.n);
    for (std::uint64_t begin = 0; begin < problem.n; begin += inverse_width_)
      lower_.emplace_back(engine, part_of_inverse(system, begin, inverse_width_), products);
  } else {
    lower_.emplace_back(engine, system, products);
  }
  upper_.emplace(engine, of_upper, products);
}

std::uint64_t LuSolution::workspace_bytes() const {
  std::uint64_t bytes = upper_ ? upper_->workspace_bytes() : 0;
  for (const TrsmPlan& lower : lower_) bytes = std::max(bytes, lower.workspace_bytes());
  return bytes;
}

void LuSolution::explain(Explanation& explanation) const {
  if (few_lines_)
    return add_reason(explanation,
                      std::string("few right-hand sides, solved in one launch by ") + FewLinesSolver::file);
  if (is_small_) return add_reason(explanation, "one launch solves each system, because A is small");
  add_reason(explanation, inverse_width_ > 0 ? "triangular systems without the zeros of L^-1, and column interchanges"
                                             : "row interchanges and two triangular systems");
  for (const TrsmPlan& lower : lower_) add_part(explanation, lower.explanation());
  add_part(explanation, upper_->explanation());
}

void LuSolution::enqueue(CommandChain& chain, const LuKernels& kernels, const LuView& a, const LuIntegers& pivots,
                         const LuView& b, const WorkspaceRef& workspace) const {
  const LuProblem& p = problem_;
  if (p.n == 0 || p.nrhs == 0) return;
  const bool inverts = p.task == LuTask::getri, transposed = p.trans != Transpose::no;
  if (few_lines_) return few_lines_->solve(chain, 1, a.at, b.at, pivots.at, false);
  if (is_small_) return kernels.small_solve(chain, a, p.n, p.trans, inverts, pivots, b, p.nrhs);
  if (inverts) kernels.identity(chain, b, p.n);
  const TrsmOperands operands{.a = a.at, .b = b.at};
  const LuColumns all{p.nrhs, p.nrhs, 0};
  if (inverse_width_ > 0) {
    for (std::size_t i = 0; i < lower_.size(); ++i) {
      const std::uint64_t begin = i * inverse_width_;
      chain.plan(lower_[i], TrsmOperands{.a = a.from(begin, begin).at, .b = b.from(begin, begin).at}, workspace);
    }
    chain.plan(*upper_, operands, workspace);
    return kernels.interchange_rows(chain, b.transposed(), all, 0, p.n, true, pivots);
  }
  if (!transposed) kernels.interchange_rows(chain, b, all, 0, p.n, false, pivots);
  chain.plan(transposed ? *upper_ : lower_.front(), operands, workspace);
  chain.plan(transposed ? lower_.front() : *upper_, operands, workspace);
  if (transposed) kernels.interchange_rows(chain, b, all, 0, p.n, true, pivots);
}

}  // namespace tilewright::detail
