#include "qr/qr_shape.hpp"

#include <algorithm>
#include <bit>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"
#include "kernels/small_matrices.hpp"
#include "kernels/waiting_groups.hpp"

namespace tilewright::detail {
namespace {

constexpr std::uint64_t max_panel = 128;

// Panels are narrow for small matrices, whose launches take most of the time.
QrShape shape_of_cpu(DataType type, std::uint64_t rows, std::uint64_t columns) {
  QrShape shape{.by_items = true, .subpanel = 32, .panel = max_panel, .group = 1, .panel_group = 1};
  shape.lanes = std::min<std::uint64_t>(16, 64 / size_of(type));
  if (rows > private_rows) {
    if (std::min(rows, columns) <= 512) shape.panel = 64;
    return shape;
  }
  shape.private_copy = true;
  shape.vectors = 1;
  if (rows <= 8) shape.lanes = std::min<std::uint64_t>(4, shape.lanes);
  return shape;
}

// Returns the bytes of local memory that panel_groups.cl needs.
std::uint64_t local_bytes(const QrShape& shape, DataType type) {
  return shape.panel_group * ((shape.subpanel + 2) * size_of(type) + sizeof(cl_int)) + 4 * shape.subpanel * 16;
}

// Returns the local memory of cl/qr/factor_small.cl per matrix.
std::uint64_t small_matrix_bytes(const QrShape& shape, DataType type) {
  return (shape.small_rows * (shape.small_columns + 3) + 2) * size_of(type) + shape.small_columns * sizeof(cl_int);
}

// Lets one launch factor a batch of small matrices, several per work-group. Rows are rounded up, so that few programs
// are compiled.
void use_small_kernel(QrShape& shape, const DeviceProfile& device, DataType type, std::uint64_t rows,
                      std::uint64_t columns, std::uint64_t batch_count) {
  if (!are_many_small(batch_count, std::max(rows, columns))) return;
  shape.small_rows = rounded_up(rows, rows <= 4 ? 4 : 8);
  shape.small_columns = std::max<std::uint64_t>(4, std::bit_ceil(columns));
  shape.matrices = small_matrices_per_group(device, shape.small_columns, small_matrix_bytes(shape, type));
}

}  // namespace

std::string QrShape::options(DataType type) const {
  return language_option() + define("INDEX_BITS", 64) + define("SUBPANEL", subpanel) + define("LANES", lanes) +
         define("BLOCK", vectors) + define("ROWS", rows) + define("WG", group) + define("PANEL_WG", panel_group) +
         define("MAX_BLOCK", max_panel) + define("PRIVATE_ROWS", private_rows) + define("PRIVATE_COPY", private_copy) +
         (matrices > 0
              ? define("SMALL_ROWS", small_rows) + define("SMALL_COLUMNS", small_columns) + define("MATRICES", matrices)
              : std::string()) +
         element_options(type) + define_if(aligned_buffers, "ALIGNED_BUFFERS");
}

QrShape qr_shape(const DeviceProfile& device, DataType type, std::uint64_t rows, std::uint64_t columns,
                 std::uint64_t batch_count) {
  QrShape shape;
  if (device.type == DeviceType::cpu) shape = shape_of_cpu(type, rows, columns);
  shape.aligned_buffers = device.aligned_buffers;
  if (device.type == DeviceType::cpu) return shape;
  if (size_of(type) == 4) shape.subpanel = 32;
  const std::size_t max_group = std::min(device.max_work_group_size, device.max_work_item_sizes[0]);
  while (shape.group > max_group && shape.group > 64) shape.group /= 2;
  shape.panel_group = shape.group;
  while (shape.panel_group > 32 && local_bytes(shape, type) > device.local_memory_bytes) shape.panel_group /= 2;
  if (local_bytes(shape, type) > device.local_memory_bytes) shape.subpanel = 16;
  if (rows <= 32) shape.panel_group = 32;
  use_small_kernel(shape, device, type, rows, columns, batch_count);
  if (!may_groups_wait(device)) return shape;
  // Launches on several queues may run at the same time, and must not keep each other from starting.
  shape.resident_groups = std::min<std::uint64_t>(64, device.compute_units / 2);
  // The rows of a work-item must fit into registers.
  const std::uint64_t max_rows = 16 / size_of(type);
  const auto groups = [&] { return ceil_div(rows, static_cast<std::int64_t>(shape.panel_group * shape.rows)); };
  while (shape.rows < max_rows && groups() > 1 && groups() * batch_count > shape.resident_groups) shape.rows *= 2;
  return shape;
}

}  // namespace tilewright::detail
