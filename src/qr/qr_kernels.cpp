#include "qr/qr_kernels.hpp"

#include <algorithm>
#include <array>

#include "kernels/element_type.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/sizes.hpp"
#include "runtime/engine_state.hpp"

namespace tilewright::detail {
namespace {

using argument::index;
using argument::matrix;  // its number is its place in the launch's list of matrices
using argument::offset;
using Arguments = std::vector<KernelArgument>;

constexpr std::uint64_t each = 4;  // EACH of panel_item.cl

// Slots that every work-group adds up itself, which takes about as long as the launch that would add them up.
constexpr std::uint64_t max_own_slots = 256;

void append(Arguments& arguments, std::uint64_t number, const QrView& view) {
  arguments.insert(arguments.end(),
                   {matrix(number), index(view.row_step), index(view.column_step), offset(view.stride)});
}

void append(Arguments& arguments, std::uint64_t number, const QrVector& vector) {
  arguments.insert(arguments.end(), {matrix(number), offset(vector.stride)});
}

const char* factoring_kernel(const QrShape& shape) {
  return shape.by_items ? "panel_item" : shape.matrices > 0 ? "factor_small" : "panel_groups";
}

// One program holds all kernels, so that plans share it.
KernelSource source_of(const QrShape& shape, DataType type) {
  KernelSource source{"qr",
                      {"common/index.cl", "common/bfloat16.cl", "common/types.cl", "common/complex.cl",
                       "common/factor_panels.cl", "qr/steps.cl"},
                      shape.options(type)};
  const auto add = [&](std::initializer_list<const char*> files) {
    source.files.insert(source.files.end(), files.begin(), files.end());
  };
  if (shape.by_items)
    add({"qr/panel_item.cl"});
  else if (shape.matrices > 0)
    add({"common/quads.cl", "common/small_tiles.cl", "qr/factor_small.cl"});
  else
    add({"qr/panel_groups.cl"});
  add({"qr/blocks.cl"});
  return source;
}

}  // namespace

QrKernels::QrKernels(const Engine& engine, DataType type, const QrShape& shape)
    : max_groups_(engine.profile().max_work_groups),
      compute_units_(engine.profile().compute_units),
      element_(size_of(type)),
      shape_(shape),
      fixed_{.scalar_type = type, .wide_index = true},
      program_(state_of(engine).program(program_request(source_of(shape_, type), {}))),
      factor_(program_, factoring_kernel(shape_)),
      expand_(program_, "expand"),
      identity_(program_, "identity"),
      adjoint_(program_, "adjoint"),
      triangular_factor_(program_, "triangular_factor"),
      zero_on_diagonal_(program_, "zero_on_diagonal") {
  if (!shape_.by_items && shape_.matrices == 0) add_slots_.emplace(program_, "add_slots");
}

std::uint64_t QrKernels::subpanel_groups(std::uint64_t rows) const {
  return ceil_div(rows, static_cast<std::int64_t>(shape_.panel_group * shape_.rows));
}

std::uint64_t QrKernels::pitch_of(std::uint64_t rows) const {
  const std::uint64_t block = shape_.vectors * shape_.lanes;
  const std::uint64_t pitch = rounded_up(rows, static_cast<std::int64_t>(block));
  // Columns of a private copy are close. Otherwise no multiple of 8 blocks, with which all columns would share a few
  // cache sets.
  return !shape_.private_copy && pitch % (8 * block) == 0 ? pitch + block : pitch;
}

std::uint64_t QrKernels::subpanel_bytes(std::uint64_t rows, std::uint64_t columns, std::uint64_t count) const {
  const std::uint64_t width = std::min(shape_.subpanel, columns);
  if (shape_.by_items)
    return shape_.private_copy ? 0 : bytes_of(count * rounded_up(width, each), pitch_of(rows), element_);
  if (subpanel_groups(rows) == 1) return 0;
  const std::uint64_t slot = shape_.subpanel * (element_ / 4) + 1;  // SLOT of panel_groups.cl, in 8-byte words
  return bytes_of(count * 2, (subpanel_groups(rows) + 1) * slot, 8);
}

Launch QrKernels::launch(const char* name, std::size_t groups, std::size_t items, std::uint64_t count) const {
  return {.kernel = name,
          .global = {groups * items, 1, static_cast<std::size_t>(count)},
          .local = {items, 1, 1},
          .max_groups = max_groups_};
}

// Returns a launch whose work-items share the elements of a matrix.
Launch QrKernels::launch_over(const char* name, std::uint64_t rows, std::uint64_t columns, const QrView& c,
                              std::uint64_t count) const {
  const bool by_columns = c.row_step == 1;
  const std::uint64_t lines = by_columns ? columns : rows, length = by_columns ? rows : columns;
  const std::size_t along = shape_.by_items ? 1 : ceil_div(length, static_cast<std::int64_t>(shape_.group));
  Launch step = launch(name, std::min<std::size_t>(along, 64), shape_.group, count);
  step.global[1] =
      static_cast<std::size_t>(std::min<std::uint64_t>(lines, shape_.by_items ? 4 * compute_units_ : 4096));
  step.arguments = {index(rows), index(columns)};
  return step;
}

void QrKernels::run(CommandChain& chain, const LaunchKernel& kernel, const Launch& launch,
                    std::span<const MatrixRef> matrices) const {
  CallValues values;
  std::copy(matrices.begin(), matrices.end(), values.matrices.begin());
  chain.launch(kernel, launch, all_of(launch), [&] { set_arguments(kernel(), launch, fixed_, values); });
}

// Work-groups wait for each other by the number of a step, which counts on over all sub-panels of a call. The workspace
// may hold any bits before.
void QrKernels::begin(CommandChain& chain, std::uint64_t rows, std::uint64_t count,
                      const WorkspaceRef& workspace) const {
  epoch_ = 0;
  if (shape_.by_items || subpanel_groups(rows) == 1) return;
  const std::uint64_t bytes = subpanel_bytes(rows, shape_.subpanel, count);
  chain.add([&](std::span<const cl_event> waits, bool event) {
    return enqueue_zeros(chain.queue(), workspace.buffer, workspace.offset, bytes, waits, event);
  });
}

void QrKernels::factor_subpanel(CommandChain& chain, const QrView& a, std::uint64_t rows, std::uint64_t columns,
                                const QrVector& tau, const SubpanelOutputs* outputs, std::uint64_t count,
                                const WorkspaceRef& workspace) const {
  const std::uint64_t groups = shape_.by_items ? 1 : subpanel_groups(rows);
  // Kernels that need no workspace or write no V get another buffer instead.
  const MatrixRef memory = subpanel_bytes(rows, columns, count) == 0
                               ? tau.at
                               : MatrixRef{workspace.buffer, workspace.offset / (shape_.by_items ? element_ : 8)};
  const QrView v = outputs != nullptr ? outputs->v : a, t = outputs != nullptr ? outputs->t : a;
  const std::array matrices{a.at, tau.at, v.at, t.at, memory};
  Launch step = launch(factoring_kernel(shape_), groups, shape_.panel_group, count);
  const std::uint64_t none = ~std::uint64_t{0};  // -1
  const auto enqueue = [&](const Arguments& steps) {
    step.arguments = {index(rows), index(columns), index(outputs != nullptr ? outputs->above : none)};
    step.arguments.insert(step.arguments.end(), steps.begin(), steps.end());
    append(step.arguments, 0, a);
    append(step.arguments, 1, tau);
    append(step.arguments, 2, v);
    append(step.arguments, 3, t);
    step.arguments.push_back(matrix(4));
    if (shape_.by_items) step.arguments.push_back(index(pitch_of(rows)));
    run(chain, factor_, step, matrices);
  };
  if (shape_.by_items) return enqueue({});
  // Does steps begin .. end - 1. The products for the first one must have been published, or are now.
  const bool adds_slots = groups > max_own_slots;
  const auto steps = [&](std::uint64_t begin, std::uint64_t end, bool publishes) {
    enqueue({index(begin), index(end), index(publishes ? 1 : 0), index(epoch_ + 1), index(adds_slots ? 1 : groups)});
  };
  if (groups == 1 || groups * count <= shape_.resident_groups) {
    steps(0, columns, true);
  } else {
    steps(0, 0, true);
    for (std::uint64_t j = 0; j < columns; ++j) {
      if (adds_slots) {
        Launch sum = launch("add_slots", 1, shape_.panel_group, count);
        sum.arguments = {index(groups), index(j), index(epoch_ + 1), matrix(0)};
        run(chain, *add_slots_, sum, std::array{memory});
      }
      steps(j, j + 1, false);
    }
  }
  epoch_ += shape_.subpanel;
}

void QrKernels::factor_small(CommandChain& chain, const QrView& a, std::uint64_t rows, std::uint64_t columns,
                             const QrVector& tau, std::uint64_t count) const {
  Launch step = launch(factoring_kernel(shape_), ceil_div(count, static_cast<std::int64_t>(shape_.matrices)),
                       static_cast<std::size_t>(shape_.matrices * shape_.small_columns), 1);
  step.arguments = {index(rows), index(columns), index(count)};
  append(step.arguments, 0, a);
  append(step.arguments, 1, tau);
  run(chain, factor_, step, std::array{a.at, tau.at});
}

void QrKernels::expand(CommandChain& chain, std::uint64_t rows, std::uint64_t columns, const QrView& v, const QrView& a,
                       std::uint64_t count) const {
  Launch step = launch_over("expand", rows, columns, v, count);
  append(step.arguments, 0, v);
  append(step.arguments, 1, a);
  run(chain, expand_, step, std::array{v.at, a.at});
}

void QrKernels::identity(CommandChain& chain, std::uint64_t rows, std::uint64_t columns, std::uint64_t shift,
                         const QrView& c, std::uint64_t count) const {
  if (rows == 0 || columns == 0) return;
  Launch step = launch_over("identity", rows, columns, c, count);
  step.arguments.push_back(index(shift));
  append(step.arguments, 0, c);
  run(chain, identity_, step, std::array{c.at});
}

void QrKernels::adjoint(CommandChain& chain, std::uint64_t rows, std::uint64_t columns, const QrView& c,
                        const QrView& a, std::uint64_t count) const {
  Launch step = launch_over("adjoint", rows, columns, c, count);
  append(step.arguments, 0, c);
  append(step.arguments, 1, a);
  run(chain, adjoint_, step, std::array{c.at, a.at});
}

void QrKernels::triangular_factor(CommandChain& chain, std::uint64_t width, const QrView& g, const QrVector& tau,
                                  const QrView& t, std::uint64_t count) const {
  // Each work-group has rows of T: LANES_OF_ROW of blocks.cl work-items per row.
  const std::size_t groups = shape_.by_items ? 1 : ceil_div(width, static_cast<std::int64_t>(shape_.group / 32));
  Launch step = launch("triangular_factor", groups, shape_.group, count);
  step.arguments = {index(width)};
  append(step.arguments, 0, g);
  append(step.arguments, 1, tau);
  append(step.arguments, 2, t);
  run(chain, triangular_factor_, step, std::array{g.at, tau.at, t.at});
}

void QrKernels::zero_on_diagonal(CommandChain& chain, std::uint64_t order, const QrView& r, const QrVector& info,
                                 std::uint64_t count) const {
  Launch step = launch("zero_on_diagonal", 1, shape_.group, count);
  step.arguments = {index(order)};
  append(step.arguments, 0, r);
  append(step.arguments, 1, info);
  run(chain, zero_on_diagonal_, step, std::array{r.at, info.at});
}

}  // namespace tilewright::detail
