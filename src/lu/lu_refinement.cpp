#include "lu/lu_refinement.hpp"

#include <algorithm>
#include <string>

#include "kernels/explanation.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/sizes.hpp"
#include "lu/lu_explanation.hpp"

namespace tilewright::detail {
namespace {

using argument::index;
using argument::matrix;

// Returns the problem whose A is factored, and whose B are the corrections.
LuProblem low_problem_of(const LuProblem& p) {
  LuProblem low = p;
  low.refinements = 0;
  low.type = is_complex(p.type) ? DataType::c64 : DataType::f32;
  low.lda = rounded_up(std::max<std::uint64_t>(1, p.n), 16);
  low.ldb = std::max<std::uint64_t>(1, p.layout == Layout::row_major ? p.nrhs : p.n);
  low.offset_alignment = largest_offset_alignment;  // both matrices are in the workspace
  low.batch.stride_a = low.batch.stride_b = 0;
  return low;
}

// R = B - A X, accumulated in R.
GemmProblem residual_of(const LuProblem& p, std::uint64_t ldx) {
  return {.type = p.type,
          .layout = p.layout,
          .m = p.n,
          .n = p.nrhs,
          .k = p.n,
          .lda = p.lda,
          .ldb = ldx,
          .ldc = ldx,
          .offset_alignment = alignment_of_parts(p.offset_alignment, {})};
}

KernelSource refinement_source(const LuShape& shape, DataType type) {
  return {"lu_refinement",
          {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl", "common/reciprocal.cl",
           "common/factor_panels.cl", "lu/steps.cl", "lu/refinement.cl"},
          shape.options(type)};
}

}  // namespace

LuRefinement::LuRefinement(const Engine& engine, const LuProblem& problem, const Choice& products)
    : problem_(problem),
      low_problem_(low_problem_of(problem)),
      kernels_(engine, low_problem_),
      factorisation_(engine, low_problem_, kernels_.shape(), products),
      shape_(lu_shape(engine.profile(), problem)),
      lines_(problem.layout == Layout::row_major ? problem.n : problem.nrhs),
      length_(problem.layout == Layout::row_major ? problem.nrhs : problem.n),
      // Several parts give enough work-groups if a work-item sums a whole row.
      slices_(shape_.by_items || problem.layout == Layout::row_major ? 1 : std::min<std::uint64_t>(32, problem.n)),
      max_groups_(engine.profile().max_work_groups),
      program_(state_of(engine).program(program_request(refinement_source(shape_, problem.type), {}))),
      round_(program_, "refine_round"),
      norm_(program_, "refine_norm"),
      step_(program_, "refine_step"),
      judge_(program_, "refine_judge"),
      outcome_(program_, "refine_outcome"),
      publish_(program_, "refine_publish") {
  std::uint64_t shared = factorisation_.workspace_bytes();
  if (lines_ != 0 && length_ != 0) {
    solution_.emplace(engine, low_problem_, kernels_.shape(), products);
    product_.emplace(engine, residual_of(problem, low_problem_.ldb), products);
    shared = std::max({shared, solution_->workspace_bytes(), product_->workspace_bytes()});
  }
  std::array<std::uint64_t, parts> sizes{};
  sizes[low_a] = bytes_of(problem.n, low_problem_.lda, element_bytes(low_a));
  sizes[corrections] = bytes_of(lines_, length_, element_bytes(corrections));
  sizes[solution] = sizes[residual] = bytes_of(lines_, length_, element_bytes(solution));
  sizes[sums] = bytes_of(slices_, problem.n, sizeof(double));
  sizes[numbers] = bytes_of(1, problem.nrhs + 1, sizeof(double));
  sizes[state] = bytes_of(1, problem.nrhs, sizeof(cl_long));
  sizes[subpanels] = kernels_.subpanel_bytes(problem.n);
  sizes[plans] = shared;
  for (std::size_t part = 0; part < parts; ++part) {
    offsets_[part] = bytes_;
    // Larger parts would also overflow the sum.
    if (sizes[part] > engine.profile().max_allocation_bytes)
      throw Error(ErrorCode::out_of_memory, OperandName::workspace,
                  "a part of the workspace needs " + std::to_string(sizes[part]) +
                      " bytes, but the device allocates at most " +
                      std::to_string(engine.profile().max_allocation_bytes) + " bytes at once");
    bytes_ += rounded_up(sizes[part], static_cast<std::int64_t>(workspace_alignment));
  }
}

MatrixRef LuRefinement::at(const WorkspaceRef& workspace, Part part) const {
  return {workspace.buffer, (workspace.offset + offsets_[part]) / element_bytes(part)};
}

std::size_t LuRefinement::element_bytes(Part part) const {
  if (part == low_a || part == corrections) return size_of(low_problem_.type);
  if (part == solution || part == residual) return size_of(problem_.type);
  return sizeof(double);  // also the size of an integer
}

// Returns the number of work-groups. CPUs have few threads, so that one group processes a whole line.
std::size_t LuRefinement::groups_along(std::uint64_t elements, std::uint64_t max_groups) const {
  const std::size_t all = ceil_div(elements, static_cast<std::int64_t>(shape_.narrow_group));
  return std::max<std::size_t>(1, std::min<std::size_t>(all, shape_.by_items ? 1 : max_groups));
}

void LuRefinement::launch(CommandChain& chain, const LaunchKernel& kernel, const char* name,
                          std::array<std::size_t, 2> groups, std::vector<KernelArgument> arguments,
                          std::span<const MatrixRef> matrices) const {
  const Launch launch{.kernel = name,
                      .arguments = std::move(arguments),
                      .global = {groups[0] * shape_.narrow_group, groups[1], 1},
                      .local = {shape_.narrow_group, 1, 1},
                      .max_groups = max_groups_};
  CallValues values;
  std::copy(matrices.begin(), matrices.end(), values.matrices.begin());
  chain.launch(kernel, launch, all_of(launch), [&] {
    set_arguments(kernel(), launch, {.scalar_type = problem_.type, .wide_index = shape_.wide_index}, values);
  });
}

void LuRefinement::round(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const {
  const std::uint64_t n = problem_.n;
  if (n == 0) return;
  const LuView a = view_of(operands.a, problem_.layout, problem_.lda, 0);
  const LuView rounded = view_of(at(workspace, low_a), low_problem_.layout, low_problem_.lda, 0);
  const bool by_groups = !shape_.by_items && problem_.layout == Layout::row_major;
  const std::size_t items = shape_.by_items ? shape_.narrow_group * shape_.lanes : shape_.narrow_group;
  const std::size_t groups = by_groups ? static_cast<std::size_t>(n) : ceil_div(n, static_cast<std::int64_t>(items));
  launch(chain, round_, "refine_round", {std::min<std::size_t>(groups, 4096), static_cast<std::size_t>(slices_)},
         {index(n), matrix(0), index(a.row_step), index(a.column_step), matrix(1), index(rounded.row_step),
          index(rounded.column_step), matrix(2)},
         std::array{a.at, rounded.at, at(workspace, sums)});
  launch(chain, norm_, "refine_norm", {1, 1}, {index(n), index(slices_), matrix(0), matrix(1)},
         std::array{at(workspace, sums), at(workspace, numbers)});
}

void LuRefinement::step(CommandChain& chain, bool begins, const LuOperands& operands,
                        const WorkspaceRef& workspace) const {
  launch(chain, step_, "refine_step",
         {groups_along(length_, 4096), static_cast<std::size_t>(std::min<std::uint64_t>(lines_, 4096))},
         {index(lines_), index(length_), index(problem_.layout == Layout::row_major ? 1 : 0), index(begins ? 1 : 0),
          matrix(0), index(problem_.ldb), matrix(1), matrix(2), matrix(3), matrix(4), matrix(5)},
         std::array{operands.b, at(workspace, solution), at(workspace, residual), at(workspace, corrections),
                    at(workspace, numbers), at(workspace, state)});
}

void LuRefinement::judge(CommandChain& chain, std::uint64_t refinement, const WorkspaceRef& workspace) const {
  const LuView x = view_of(at(workspace, solution), problem_.layout, low_problem_.ldb, 0);
  launch(chain, judge_, "refine_judge", {static_cast<std::size_t>(std::min<std::uint64_t>(problem_.nrhs, 4096)), 1},
         {index(problem_.n), index(problem_.nrhs), index(x.row_step), index(x.column_step), index(refinement),
          matrix(0), matrix(1), matrix(2), matrix(3), matrix(4)},
         std::array{at(workspace, residual), x.at, at(workspace, corrections), at(workspace, numbers),
                    at(workspace, state)});
}

void LuRefinement::solve(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const {
  const WorkspaceRef shared{workspace.buffer, workspace.offset + offsets_[plans]};
  solution_->enqueue(chain, kernels_, view_of(at(workspace, low_a), low_problem_.layout, low_problem_.lda, 0),
                     {operands.pivots, low_problem_.batch.stride_pivots},
                     view_of(at(workspace, corrections), low_problem_.layout, low_problem_.ldb, 0), shared);
}

void LuRefinement::finish(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const {
  // Convergence was not checked if X is empty.
  launch(chain, outcome_, "refine_outcome", {1, 1},
         {index(product_ ? problem_.nrhs : 0), matrix(0), matrix(1), matrix(2)},
         std::array{at(workspace, state), operands.info, operands.iterations});
  if (!product_) return;
  launch(chain, publish_, "refine_publish",
         {groups_along(length_, 4096), static_cast<std::size_t>(std::min<std::uint64_t>(lines_, 4096))},
         {index(lines_), index(length_), matrix(0), matrix(1), index(problem_.ldb), matrix(2)},
         std::array{at(workspace, solution), operands.b, operands.iterations});
}

void LuRefinement::enqueue(CommandChain& chain, const LuOperands& operands, const WorkspaceRef& workspace) const {
  const auto part = [&](Part which) { return WorkspaceRef{workspace.buffer, workspace.offset + offsets_[which]}; };
  round(chain, operands, workspace);
  factorisation_.enqueue(chain, kernels_, view_of(at(workspace, low_a), low_problem_.layout, low_problem_.lda, 0),
                         {operands.pivots, low_problem_.batch.stride_pivots},
                         {operands.info, low_problem_.batch.stride_info}, part(subpanels), part(plans));
  if (product_) {
    step(chain, true, operands, workspace);
    judge(chain, 0, workspace);  // X = 0 solves the columns of B that are 0
    for (std::uint64_t refinement = 0; refinement <= problem_.refinements; ++refinement) {
      solve(chain, operands, workspace);
      step(chain, false, operands, workspace);
      chain.plan(
          *product_,
          GemmOperands{
              .alpha = -1, .a = operands.a, .b = at(workspace, solution), .beta = 1, .c = at(workspace, residual)},
          part(plans));
      judge(chain, refinement, workspace);
    }
  }
  finish(chain, operands, workspace);
}

void LuRefinement::explain(Explanation& explanation) const {
  add_reason(explanation, "A is factored in " + std::string(to_string(low_problem_.type)) +
                              ", and X is refined up to " + std::to_string(problem_.refinements) +
                              " times with residuals in " + std::string(to_string(problem_.type)));
  factorisation_.explain(explanation);
  if (solution_) solution_->explain(explanation);
  if (product_) add_part(explanation, product_->explanation());
}

}  // namespace tilewright::detail
