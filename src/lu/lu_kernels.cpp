#include "lu/lu_kernels.hpp"

#include <algorithm>
#include <array>

#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

using argument::index;
using argument::matrix;  // its number is its place in the launch's list of matrices
using argument::offset;
using Arguments = std::vector<KernelArgument>;

constexpr std::uint64_t block_vectors = 4;   // BLOCK of dense_columns.cl
constexpr std::uint64_t counters_bytes = 8;  // the counters of a matrix in panel_item.cl

// ACROSS of row_swaps.cl
std::int64_t interchange_columns(std::size_t element) { return static_cast<std::int64_t>(64 / element); }

void append(Arguments& arguments, std::uint64_t number, const LuView& view) {
  arguments.insert(arguments.end(),
                   {matrix(number), index(view.row_step), index(view.column_step), offset(view.stride)});
}

void append(Arguments& arguments, std::uint64_t number, const LuIntegers& integers) {
  arguments.insert(arguments.end(), {matrix(number), offset(integers.stride)});
}

// `transposed` of small_solve.cl
std::uint64_t number_of(Transpose trans) {
  switch (trans) {
    case Transpose::yes:
      return 1;
    case Transpose::conjugate_transpose:
      return 2;
    case Transpose::no:
      break;
  }
  return 0;
}

const char* factoring_kernel(const LuShape& shape) {
  if (shape.by_items) return shape.one_launch ? "whole_item" : "panel_item";
  return shape.matrices > 0 ? "factor_small" : "subpanel_groups";
}

}  // namespace

KernelSource lu_source(const LuShape& shape, DataType type) {
  KernelSource source{"lu",
                      {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl",
                       "common/reciprocal.cl", "common/factor_panels.cl", "lu/steps.cl"},
                      shape.options(type)};
  const auto add = [&](std::initializer_list<const char*> files) {
    source.files.insert(source.files.end(), files.begin(), files.end());
  };
  if (shape.by_items)
    add({"lu/row_swaps_item.cl", "lu/dense_columns.cl", "lu/dense_updates.cl",
         shape.one_launch ? "lu/whole_item.cl" : "lu/panel_item.cl", "lu/substitution.cl"});
  else if (shape.matrices > 0)
    add({"common/quads.cl", "common/small_tiles.cl", "lu/factor_small.cl"});
  else
    add({"lu/candidates.cl", "lu/subpanel_groups.cl"});
  if (!shape.by_items) add({"lu/row_swaps.cl", "lu/substitution.cl", "lu/solve.cl", "lu/update.cl"});
  add({"lu/small_solve.cl", "lu/determinant.cl", "lu/identity.cl"});
  return source;
}

LuView view_of(const MatrixRef& at, Layout layout, std::uint64_t ld, std::uint64_t stride) {
  const bool by_rows = layout == Layout::row_major;
  return {.at = at, .row_step = by_rows ? ld : 1, .column_step = by_rows ? 1 : ld, .stride = stride};
}

LuKernels::LuKernels(const Engine& engine, const LuProblem& problem)
    : max_groups_(engine.profile().max_work_groups),
      compute_units_(engine.profile().compute_units),
      element_(size_of(problem.type)),
      part_(size_of(part_of(problem.type))),
      count_(problem.batch.count),
      first_rows_(problem.m),
      columns_(problem.n),
      shape_(lu_shape(engine.profile(), problem)),
      fixed_{.scalar_type = problem.type, .wide_index = shape_.wide_index, .batch_count = count_},
      program_(state_of(engine).program(program_request(lu_source(shape_, problem.type), {}))),
      factor_subpanel_(program_, factoring_kernel(shape_)),
      interchange_rows_(program_, "row_swaps"),
      small_solve_(program_, "small_solve"),
      determinant_(program_, "determinant"),
      identity_(program_, "identity") {
  if (shape_.by_items && !shape_.one_launch) store_panel_.emplace(program_, "panel_rows_item");
  if (shape_.by_items) return;
  solve_.emplace(program_, "solve");
  update_.emplace(program_, "update");
}

// At least one, which writes info for an empty matrix.
std::uint64_t LuKernels::subpanel_groups(std::uint64_t rows) const {
  const auto each = static_cast<std::int64_t>(shape_.panel_group * shape_.rows);
  return std::max<std::uint64_t>(1, ceil_div(rows, each));
}

std::uint64_t LuKernels::pitch_of(std::uint64_t rows) const {
  const std::uint64_t block = block_vectors * shape_.lanes;
  // One block more than the rows need, because the first block may start at any row. Never a multiple of 8 blocks, with
  // which all columns would share a few cache sets.
  const std::uint64_t pitch = rounded_up(rows + block, static_cast<std::int64_t>(block));
  return pitch % (8 * block) == 0 ? pitch + block : pitch;
}

std::uint64_t LuKernels::subpanel_bytes(std::uint64_t rows) const {
  if (shape_.private_copy) return 0;
  if (shape_.by_items)
    return counters_size() +
           bytes_of(count_ * (shape_.one_launch ? columns_ : std::min({shape_.panel, first_rows_, columns_})),
                    pitch_of(rows), element_);
  if (subpanel_groups(rows) == 1) return 0;
  // SLOT of subpanel_groups.cl, in 8-byte words
  const std::uint64_t slot =
      shape_.capacity * (element_ / 4) + part_ / 4 + std::max<std::uint64_t>(part_ / 4, shape_.wide_index ? 2 : 1);
  return bytes_of(count_ * 2, (subpanel_groups(rows) + 1) * slot, integer_bytes);
}

Launch LuKernels::launch(const char* name, std::size_t groups, std::size_t items) const {
  return {.kernel = name,
          .global = {groups * items, 1, static_cast<std::size_t>(count_)},
          .local = {items, 1, 1},
          .max_groups = max_groups_};
}

void LuKernels::run(CommandChain& chain, const LaunchKernel& kernel, const Launch& launch,
                    std::span<const MatrixRef> matrices) const {
  CallValues values;
  std::copy(matrices.begin(), matrices.end(), values.matrices.begin());
  chain.launch(kernel, launch, all_of(launch), [&] { set_arguments(kernel(), launch, fixed_, values); });
}

// The counters precede the copies.
std::uint64_t LuKernels::counters_size() const {
  if (shape_.one_launch) return 0;
  return rounded_up(count_ * counters_bytes, static_cast<std::int64_t>(workspace_alignment));
}

// Work-groups wait for each other by the number of a step, which counts on over all sub-panels of a call. The workspace
// may hold any bits before.
void LuKernels::begin(CommandChain& chain, const WorkspaceRef& workspace) const {
  epoch_ = 0;
  if (shape_.by_items || subpanel_groups(first_rows_) == 1) return;
  const std::uint64_t bytes = subpanel_bytes(first_rows_);
  chain.add([&](std::span<const cl_event> waits, bool event) {
    return enqueue_zeros(chain.queue(), workspace.buffer, workspace.offset, bytes, waits, event);
  });
}

void LuKernels::factor_subpanel(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                                std::uint64_t base, const LuIntegers& pivots, const LuIntegers& info,
                                const WorkspaceRef& workspace) const {
  if (shape_.matrices > 0) return factor_small(chain, a, rows, columns, pivots, info);
  const std::uint64_t groups = subpanel_groups(rows);
  // Kernels that need no workspace get another buffer instead.
  const MatrixRef memory =
      subpanel_bytes(rows) == 0 ? info.at : MatrixRef{workspace.buffer, workspace.offset / integer_bytes};
  const std::array matrices{a.at, pivots.at, info.at, memory};
  Launch step = launch(factoring_kernel(shape_), groups, shape_.panel_group);
  const auto enqueue = [&](Arguments arguments) {
    append(arguments, 0, a);
    append(arguments, 1, pivots);
    append(arguments, 2, info);
    arguments.push_back(matrix(3));
    step.arguments = std::move(arguments);
    run(chain, factor_subpanel_, step, matrices);
  };
  // Does steps begin .. end - 1. The candidates for the first pivot must have been published, or are now.
  const auto steps = [&](std::uint64_t begin, std::uint64_t end, bool publishes) {
    enqueue({index(rows), index(columns), index(base), index(begin), index(end), index(publishes ? 1 : 0),
             index(epoch_ + 1)});
  };
  if (groups == 1 || groups * count_ <= shape_.resident_groups) {
    steps(0, columns, true);
  } else {
    steps(0, 0, true);
    for (std::uint64_t j = 0; j < columns; ++j) steps(j, j + 1, false);
  }
  epoch_ += shape_.subpanel;
}

void LuKernels::factor_small(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                             const LuIntegers& pivots, const LuIntegers& info) const {
  Launch step = launch(factoring_kernel(shape_), ceil_div(count_, static_cast<std::int64_t>(shape_.matrices)),
                       static_cast<std::size_t>(shape_.matrices * shape_.small_rows));
  step.global[2] = 1;
  step.arguments = {index(rows), index(columns), index(count_)};
  append(step.arguments, 0, a);
  append(step.arguments, 1, pivots);
  append(step.arguments, 2, info);
  run(chain, factor_subpanel_, step, std::array{a.at, pivots.at, info.at});
}

void LuKernels::factor_whole(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                             const LuIntegers& pivots, const LuIntegers& info, const WorkspaceRef& workspace) const {
  Launch step = launch(factoring_kernel(shape_), 1, 1);
  step.arguments = {index(rows), index(columns)};
  append(step.arguments, 0, a);
  append(step.arguments, 1, pivots);
  append(step.arguments, 2, info);
  step.arguments.insert(step.arguments.end(), {matrix(3), index(pitch_of(rows))});
  // A kernel that needs no workspace gets another buffer instead.
  const MatrixRef copy = shape_.private_copy ? info.at : copy_in(workspace);
  run(chain, factor_subpanel_, step, std::array{a.at, pivots.at, info.at, copy});
}

void LuKernels::factor_panel(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                             std::uint64_t base, const LuIntegers& pivots, const LuIntegers& info,
                             const WorkspaceRef& workspace) const {
  const std::array matrices{a.at, pivots.at, info.at, copy_in(workspace),
                            MatrixRef{workspace.buffer, workspace.offset / sizeof(cl_int)}};
  const std::uint64_t per_matrix = ceil_div(compute_units_, static_cast<std::int64_t>(count_));
  for (std::uint64_t first = 0; first == 0 || first < columns; first += shape_.subpanel) {
    const std::uint64_t right = columns - std::min(columns, first + shape_.subpanel);
    // Two tasks per work-item or more, of whole tiles of four columns.
    const std::uint64_t wide = std::clamp<std::uint64_t>(rounded_up(right / (2 * per_matrix), 4), 4, shape_.subpanel);
    const std::uint64_t tasks = 1 + ceil_div(right, static_cast<std::int64_t>(wide));
    Launch step = launch(factoring_kernel(shape_), std::min(tasks, per_matrix), 1);
    step.arguments = {index(rows), index(columns), index(base), index(first), index(wide), index(epoch_)};
    append(step.arguments, 0, a);
    append(step.arguments, 1, pivots);
    append(step.arguments, 2, info);
    step.arguments.insert(step.arguments.end(), {matrix(3), index(pitch_of(rows)), matrix(4)});
    run(chain, factor_subpanel_, step, matrices);
    ++epoch_;
  }
}

void LuKernels::store_panel(CommandChain& chain, const LuView& a, std::uint64_t rows, std::uint64_t columns,
                            std::uint64_t base, std::uint64_t right, const LuIntegers& pivots,
                            const WorkspaceRef& workspace) const {
  const auto across = static_cast<std::int64_t>(128 / element_);  // ACROSS of panel_item.cl
  Launch step = launch("panel_rows_item", ceil_div(right, across) + ceil_div(columns, across), 1);
  step.arguments = {index(rows), index(columns), index(base), index(right)};
  append(step.arguments, 0, a);
  append(step.arguments, 1, pivots);
  step.arguments.insert(step.arguments.end(), {matrix(2), index(pitch_of(rows))});
  run(chain, *store_panel_, step, std::array{a.at, pivots.at, copy_in(workspace)});
}

MatrixRef LuKernels::copy_in(const WorkspaceRef& workspace) const {
  return {workspace.buffer, (workspace.offset + counters_size()) / element_};
}

void LuKernels::interchange_rows(CommandChain& chain, const LuView& a, const LuColumns& columns, std::uint64_t base,
                                 std::uint64_t steps, bool backwards, const LuIntegers& pivots) const {
  if (columns.count == 0 || steps == 0) return;
  // On GPUs every group follows all interchanges, so that few groups process many columns each.
  const std::size_t groups =
      shape_.by_items
          ? ceil_div(columns.count, static_cast<std::int64_t>(4 * shape_.lanes))  // WIDE of row_swaps_item.cl
          : std::min<std::size_t>(ceil_div(columns.count, interchange_columns(element_)), 2 * compute_units_);
  Launch step = launch("row_swaps", groups, shape_.group);
  step.arguments = {index(columns.count), index(columns.skipped), index(columns.skips),
                    index(base),          index(steps),           index(backwards ? 1 : 0)};
  append(step.arguments, 0, a);
  append(step.arguments, 1, pivots);
  run(chain, interchange_rows_, step, std::array{a.at, pivots.at});
}

void LuKernels::solve(CommandChain& chain, const LuView& a, std::uint64_t order, const LuView& b,
                      std::uint64_t columns) const {
  if (columns == 0) return;
  Launch step = launch("solve", ceil_div(columns, static_cast<std::int64_t>(shape_.narrow_group)), shape_.narrow_group);
  step.arguments = {index(order), index(columns)};
  append(step.arguments, 0, a);
  step.arguments.push_back(matrix(1));
  run(chain, *solve_, step, std::array{a.at, b.at});
}

void LuKernels::update(CommandChain& chain, const LuView& l, const LuView& u, const LuView& c, std::uint64_t rows,
                       std::uint64_t columns, std::uint64_t depth) const {
  if (rows == 0 || columns == 0) return;
  // The kernel sees a column-major matrix as its transpose, and therefore the factors in reverse order.
  const bool by_rows = c.column_step == 1;
  const std::uint64_t high = by_rows ? rows : columns, wide = by_rows ? columns : rows;
  const std::int64_t tile = shape_.group == 256 ? 64 : 32;
  Launch step = launch("update", ceil_div(high, tile) * ceil_div(wide, tile), shape_.group);
  step.arguments = {index(high),      index(wide), index(depth), index(by_rows ? c.row_step : c.column_step),
                    offset(c.stride), matrix(0),   matrix(1),    matrix(2)};
  run(chain, *update_, step, by_rows ? std::array{l.at, u.at, c.at} : std::array{u.at, l.at, c.at});
}

void LuKernels::small_solve(CommandChain& chain, const LuView& a, std::uint64_t order, Transpose trans, bool inverts,
                            const LuIntegers& pivots, const LuView& b, std::uint64_t columns) const {
  Launch step = launch("small_solve", 1, shape_.narrow_group);
  step.arguments = {index(order), index(columns), index(number_of(trans)), index(inverts ? 1 : 0)};
  append(step.arguments, 0, a);
  append(step.arguments, 1, pivots);
  append(step.arguments, 2, b);
  run(chain, small_solve_, step, std::array{a.at, pivots.at, b.at});
}

void LuKernels::determinant(CommandChain& chain, const LuView& a, std::uint64_t order, const LuIntegers& pivots,
                            const LuIntegers& result) const {
  Launch step = launch("determinant", 1, shape_.narrow_group);
  step.arguments = {index(order)};
  append(step.arguments, 0, a);
  append(step.arguments, 1, pivots);
  append(step.arguments, 2, result);
  run(chain, determinant_, step, std::array{a.at, pivots.at, result.at});
}

void LuKernels::identity(CommandChain& chain, const LuView& b, std::uint64_t order) const {
  if (order == 0) return;
  const std::size_t across = ceil_div(order, static_cast<std::int64_t>(shape_.narrow_group));
  Launch step = launch("identity", shape_.by_items ? 1 : across, shape_.narrow_group);
  step.global[1] = std::min<std::size_t>(static_cast<std::size_t>(order), 4096);
  step.arguments = {index(order)};
  append(step.arguments, 0, b);
  run(chain, identity_, step, std::array{b.at});
}

}  // namespace tilewright::detail
