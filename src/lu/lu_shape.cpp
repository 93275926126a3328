#include "lu/lu_shape.hpp"

#include <algorithm>
#include <bit>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"
#include "kernels/small_matrices.hpp"
#include "kernels/waiting_groups.hpp"
#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail {
namespace {

LuShape shape_of_cpu(DataType type) {
  return {.by_items = true,
          .capacity = 64,
          .lanes = std::min<std::uint64_t>(16, 64 / size_of(type)),
          .group = 1,
          .panel_group = 1,
          .narrow_group = 1};
}

// A small matrix costs about as much as its own size: a column is processed in blocks of four vectors, and right-hand
// sides one vector at a time. At least 8 columns, so that few programs are compiled, and vectors of four elements,
// because shorter ones are no faster.
void shrink_for_cpu(LuShape& shape, const LuProblem& problem) {
  shape.capacity = std::bit_ceil(std::max<std::uint64_t>({8, problem.m, problem.n}));
  const std::uint64_t of_b = std::bit_ceil(std::min(problem.nrhs, shape.lanes));
  shape.lanes = std::min(shape.lanes, std::max<std::uint64_t>({4, shape.capacity / 4, of_b}));
  shape.private_copy = shape.one_launch = true;
}

// The largest order that one work-item factors in one launch. Up to it, a single matrix takes no more time than with
// further launches and a second core, which takes about as long to start as order 100 takes. Matrices of a batch have
// one core each anyway, up to a panel.
bool takes_one_launch(const LuProblem& problem, const LuShape& shape, const DeviceProfile& device) {
  if (problem.m == 0 || problem.n == 0) return false;  // info needs a launch without a copy
  const std::uint64_t of_one = is_complex(problem.type) ? 160 : 320;
  const std::uint64_t most = problem.batch.count < device.compute_units ? of_one : std::max(of_one, shape.panel);
  return std::max(problem.m, problem.n) <= most;
}

// Returns whether elements must be counted with 64 bits. A kernel also counts some elements past the edges.
bool is_wide(const LuProblem& p) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const bool by_rows = p.layout == Layout::row_major;
  return (by_rows ? p.m : p.n) * p.lda > most || (by_rows ? p.n : p.nrhs) * p.ldb > most;
}

// Returns how many interchanges fit into the arrays of cl/lu/row_swaps.cl.
std::uint64_t interchanges_at_once(const DeviceProfile& device, std::uint64_t most) {
  constexpr std::uint64_t bytes_of_each = 2 * 64 + 4 * sizeof(cl_long);
  while (most * bytes_of_each > device.local_memory_bytes && most > 32) most /= 2;
  return most;
}

// Returns the largest order that one launch factors. Local memory has room for the arrays of cl/lu/small_solve.cl.
std::uint64_t small_order(const DeviceProfile& device, DataType type) {
  constexpr std::uint64_t order = 64;
  const std::uint64_t bytes = order * (order * size_of(type) + sizeof(cl_int));
  return device.type == DeviceType::cpu || bytes <= device.local_memory_bytes ? order : order / 2;
}

// Returns the local memory of cl/lu/factor_small.cl per matrix.
std::size_t small_matrix_bytes(const LuShape& shape, DataType type) {
  const std::size_t tile = shape.small_rows * (shape.small_columns + 1), shared = shape.small_columns + 1;
  const std::size_t key = size_of(part_of(type)), integer = sizeof(cl_int);
  return (tile + shared) * size_of(type) + (shape.small_rows + 4) * (key + integer);
}

// Lets one launch factor a batch of small matrices, several per work-group. Columns are rounded up, so that few
// programs are compiled.
void use_small_kernel(LuShape& shape, const LuProblem& problem, const DeviceProfile& device) {
  if (!are_many_small(problem.batch.count, std::max(problem.m, problem.n))) return;
  shape.small_rows = std::max<std::uint64_t>(4, std::bit_ceil(problem.m));
  shape.small_columns = std::max<std::uint64_t>(4, rounded_up(problem.n, problem.n <= 4 ? 4 : 8));
  shape.matrices = small_matrices_per_group(device, shape.small_rows, small_matrix_bytes(shape, problem.type));
}

}  // namespace

std::string LuShape::options(DataType type) const {
  return language_option() + define("INDEX_BITS", wide_index ? 64 : 32) + define("SUBPANEL", capacity) +
         define("LANES", lanes) + define("ROWS", rows) + define("WG", group) + define("SUBPANEL_WG", panel_group) +
         define("NARROW", narrow_group) + define("MAX_GROUPS", max_groups) + define("PRIVATE_COPY", private_copy) +
         (matrices > 0
              ? define("SMALL_ROWS", small_rows) + define("SMALL_COLUMNS", small_columns) + define("MATRICES", matrices)
              : std::string()) +
         define_if(warp_pick, "WARP_PICK") + (by_items ? std::string() : define("MOST", interchanges)) +
         (by_items ? define("WIDTH", subpanel) + define("PANEL", panel) : std::string()) + element_options(type) +
         define_if(aligned_buffers, "ALIGNED_BUFFERS");
}

LuShape lu_shape(const DeviceProfile& device, const LuProblem& problem) {
  const std::uint64_t rows = problem.m;
  const bool is_small = std::max(rows, problem.n) <= small_order(device, problem.type);
  LuShape shape;
  if (device.type == DeviceType::cpu) shape = shape_of_cpu(problem.type);
  shape.aligned_buffers = device.aligned_buffers;
  if (device.type == DeviceType::cpu) {
    if (is_small)
      shrink_for_cpu(shape, problem);
    else
      shape.one_launch = takes_one_launch(problem, shape, device);
    return shape;
  }
  shape.wide_index = is_wide(problem);
  shape.interchanges = interchanges_at_once(device, shape.interchanges);
  shape.warp_pick = quirks_of(device.vendor).takes_ptx && nvidia_capability(device) >= 80;
  const std::size_t max_group = std::min(device.max_work_group_size, device.max_work_item_sizes[0]);
  if (max_group < shape.group) {
    shape.group = shape.panel_group = shape.narrow_group = 64;
    shape.subpanel = shape.capacity = 16;  // fewer rows per launch for which groups wait
  }
  if (problem.type == DataType::c128) shape.max_groups = 32;
  if (is_small) {
    shape.max_groups = 1;
    // One launch with one group per matrix.
    shape.capacity = 8;
    while (shape.capacity < std::max(rows, problem.n)) shape.capacity *= 2;
    shape.subpanel = shape.capacity;
    shape.panel_group = shape.narrow_group = std::max<std::size_t>(16, shape.subpanel);
    use_small_kernel(shape, problem, device);
    return shape;
  }
  if (!may_groups_wait(device)) return shape;
  // Launches on several queues may run at the same time, and must not keep each other from starting. A multiprocessor
  // has room for more than one group.
  shape.resident_groups = std::min<std::uint64_t>(64, device.compute_units / 2);
  shape.resident_groups = std::min(shape.resident_groups, shape.max_groups);
  // The rows of a work-item must fit into registers. Groups with more rows are slower, but too many cannot wait.
  const std::uint64_t max_rows = 16 / size_of(problem.type);
  const auto groups = [&] { return ceil_div(rows, static_cast<std::int64_t>(shape.panel_group * shape.rows)); };
  while (shape.rows < max_rows && groups() * problem.batch.count > shape.resident_groups) shape.rows *= 2;
  return shape;
}

}  // namespace tilewright::detail
