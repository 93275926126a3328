#include "cholesky/policy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/small_matrices.hpp"
#include "kernels/waiting_groups.hpp"

namespace tilewright::detail {
namespace {

// GPUs: the largest block whose rows fit into registers and local memory, because more blocks take more launches.
// Small matrices of a batch have a block of about their own size, so that a multiprocessor works on many of them at
// once.
constexpr PotrfShape gpu(std::int64_t block, std::int64_t edge) {
  return {.file = "cholesky/factor_panel.cl",
          .block = block,
          .group = edge * edge,
          .edge = edge,
          .register_columns = 0,
          .vector_rows = 0,
          .tile_group = edge * edge,
          .tile_run = 1};
}
constexpr std::array gpu_shapes{gpu(16, 8), gpu(32, 8), gpu(64, 16), gpu(128, 16)};
constexpr std::int64_t most_factored_rows = 64;  // 128 take more registers than a work-item has

// GPUs: many small matrices, with one work-item per row.
PotrfShape small_gpu(std::uint64_t n) {
  constexpr std::int64_t group = small_matrices_group;
  const auto block = static_cast<std::int64_t>(std::bit_ceil(n));
  return {.file = "cholesky/factor_small.cl",
          .block = block,
          .group = group,
          .edge = 0,
          .register_columns = 0,
          .vector_rows = 0,
          .tile_group = group,
          .tile_run = 1,
          .matrices = group / block};
}

// CPUs: one work-item factors a block. A batch keeps all cores busy, but a single matrix waits for one core. With
// blocks of 128 rows, that is a hundredth of the work for a matrix of order 2048. Small matrices of a batch cost about
// as much as their own order.
constexpr std::array<std::int64_t, 6> cpu_blocks{4, 8, 16, 32, 64, 128};

// `parts`: numbers per element.
PotrfShape cpu(std::uint64_t n, unsigned vector, std::int64_t parts) {
  const auto holds_matrix = [&](std::int64_t block) { return static_cast<std::uint64_t>(block) >= n; };
  const auto* const found = std::find_if(cpu_blocks.begin(), cpu_blocks.end(), holds_matrix);
  const std::int64_t block = found != cpu_blocks.end() ? *found : cpu_blocks.back();
  const std::int64_t widest = std::clamp<std::int64_t>(vector, 4, 16);
  return {.file = "cholesky/factor_item.cl",
          .block = block,
          .group = 1,
          .edge = 0,
          .register_columns = std::min<std::int64_t>(block, 8),
          .vector_rows = std::min(widest / parts, block),
          .tile_group = 1,
          .tile_run = 1024};
}

// Elements in local memory.
std::int64_t local_elements(DiagonalTask task, const PotrfShape& shape) {
  constexpr std::int64_t stage = 8, copies = 4;  // of factor_panel.cl
  const bool is_panel = task == DiagonalTask::factor && shape.matrices == 1;
  return is_panel ? copies * stage * (shape.block + 2) : shape.matrices * shape.block * (shape.block + 1 + 2);
}

bool fits(DiagonalTask task, const PotrfShape& shape, DataType type, const DeviceProfile& device) {
  if (task == DiagonalTask::factor && shape.block > most_factored_rows) return false;
  const auto elements = static_cast<std::size_t>(local_elements(task, shape));
  return static_cast<std::size_t>(shape.group) <= std::min(device.max_work_group_size, device.max_work_item_sizes[0]) &&
         elements * size_of(type) <= std::max(device.local_memory_bytes, device.static_local_memory_bytes);
}

}  // namespace

std::string PotrfShape::defines() const {
  return define("BLOCK", block) + define("TILE_WG", tile_group) + define("TILE_RUN", tile_run) +
         define("INVERT_WG", group) + define("MATRICES", matrices) +
         (edge > 0 ? define("EDGE", edge)
                   : define("REGISTER_COLUMNS", register_columns) + define("LINES", vector_rows));
}

PotrfShape potrf_shape(DiagonalTask task, DataType type, std::uint64_t n, std::uint64_t count,
                       const DeviceProfile& device) {
  const bool is_cpu = device.type == DeviceType::cpu;
  if (!is_cpu && task == DiagonalTask::factor && are_many_small(count, n))
    if (const PotrfShape small = small_gpu(n); fits(task, small, type, device)) return small;
  std::optional<PotrfShape> best;
  if (!is_cpu)
    for (const PotrfShape& shape : gpu_shapes) {
      if (!fits(task, shape, type, device)) break;
      best = shape;
      if (static_cast<std::uint64_t>(shape.block) >= n) break;
    }
  if (!best) return cpu(n, native_vector_width(device, part_of(type)), is_complex(type) ? 2 : 1);
  // A batch has enough groups without those that wait.
  const bool has_below = static_cast<std::uint64_t>(best->block) < n;
  best->solves_below = task == DiagonalTask::factor && has_below && count == 1 && may_groups_wait(device);
  return *best;
}

}  // namespace tilewright::detail
