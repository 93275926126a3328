#include "trmm/policy.hpp"

#include <algorithm>
#include <string_view>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

constexpr const char* lines_file = "trmm/multiply_lines.cl";
constexpr const char* rows_file = "trmm/multiply_rows.cl";

// GPUs: one tile of 4 x 4 sums per work-item. The block and its lines take 8 KiB (f32) to 32 KiB (c128) of local
// memory.
constexpr TrmmShape gpu{.file = lines_file, .block = 64, .lines = 32, .rows = 4, .vec = 4, .vectors = 1, .group = 128};

// CPUs: 16 vectors of sums, and vectors along the dimension in which B is contiguous. A work-item that packs T shares
// it among many lines.
TrmmShape cpu(const TrmmSystem& system, const DeviceProfile& device) {
  const DataType type = system.problem.type;
  const std::int64_t parts = is_complex(type) ? 2 : 1;
  const auto native = static_cast<std::int64_t>(native_vector_width(device, part_of(accumulator_of(type))));
  const std::int64_t vec = std::clamp<std::int64_t>(native, 2, 16);
  const bool by_lines = system.is_left() || system.keeps_sums();
  TrmmShape shape{.file = by_lines ? lines_file : rows_file,
                  .block = type == DataType::c128 ? 32 : 64,
                  .lines = 2 * vec,
                  .rows = 8 / parts,
                  .vec = vec,
                  .vectors = 2,
                  .group = 1};
  if (!by_lines) shape.lines = 128;
  return shape;
}

std::size_t local_bytes(const TrmmShape& shape, DataType type) {
  const std::int64_t lines = shape.file == std::string_view(lines_file) ? shape.lines : shape.block;
  return static_cast<std::size_t>(shape.block * lines) * accumulator_bytes(type);
}

bool fits(const TrmmShape& shape, DataType type, const DeviceProfile& device) {
  return static_cast<std::size_t>(shape.group) <= std::min(device.max_work_group_size, device.max_work_item_sizes[0]) &&
         local_bytes(shape, type) <= device.local_memory_bytes;
}

// Halves the block while it holds the whole triangle or too much local memory, so that small systems of a batch waste
// no time.
void shrink(TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device) {
  const bool by_lines = shape.file == std::string_view(lines_file);
  if (!by_lines) {
    if (static_cast<std::uint64_t>(shape.vec) >= system.order) shape.vectors = 1;
    while (shape.vec > 1 && static_cast<std::uint64_t>(shape.vec / 2) >= system.order) shape.vec /= 2;
  }
  const std::int64_t least = by_lines ? shape.rows : shape.vec * shape.vectors;
  while (shape.block / 2 >= least && (static_cast<std::uint64_t>(shape.block / 2) >= system.order ||
                                      local_bytes(shape, system.problem.type) > device.local_memory_bytes))
    shape.block /= 2;
  if (shape.group > 1) shape.group = std::min(shape.group, shape.block / shape.rows * (shape.lines / shape.vec));
}

// Whether a copy of a part's rows, or its sums, may be allocated.
bool can_copy(std::uint64_t part, const TrmmSystem& system, const DeviceProfile& device) {
  return bytes_of(std::min(part, system.order) * system.problem.batch.count, system.lines,
                  accumulator_bytes(system.problem.type)) <= device.max_allocation_bytes / 4;
}

// Rows that are multiplied level by level. Each level is one launch of all its products, but they need a copy of B. On
// GPUs small products of one block each would leave most of the device idle. On CPUs a copy that leaves the caches
// costs more than the launches that it saves. Sums that are kept always take memory, so that parts are as large as it
// allows.
std::uint64_t rows_of_part(const TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device) {
  constexpr std::uint64_t caches = std::uint64_t{4} << 20;
  const auto block = static_cast<std::uint64_t>(shape.block);
  const std::size_t element = accumulator_bytes(system.problem.type);
  if (!system.keeps_sums() && device.type == DeviceType::cpu && bytes_of(system.order, system.lines, element) > caches)
    return block;
  std::uint64_t part = block;
  while (part < system.order) part *= 2;
  while (part > block && !can_copy(part, system, device)) part /= 2;
  return part;
}

}  // namespace

std::string TrmmShape::defines() const {
  const std::string common =
      define("BLOCK", block) + define("LINES", lines) + define("VEC", vec) + define("VECTORS", vectors);
  if (file == std::string_view(lines_file)) return common + define("ROWS", rows) + define("WG", group);
  return common + define("REGISTER_LINES", rows);
}

TrmmShape trmm_shape(const TrmmSystem& system, const DeviceProfile& device) {
  const bool is_gpu = device.type != DeviceType::cpu && fits(gpu, system.problem.type, device);
  TrmmShape shape = is_gpu ? gpu : cpu(system, device);
  shrink(shape, system, device);
  shape.part = rows_of_part(shape, system, device);
  return shape;
}

std::uint64_t trmm_square(const TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device) {
  // From here on, larger tiles of C gain more than another level costs.
  constexpr std::uint64_t least_order_of_large_squares = 4096, large_square = 128;
  const auto block = static_cast<std::uint64_t>(shape.block);
  if (system.order <= 2 * block || !can_copy(system.order, system, device)) return 0;
  return system.order >= least_order_of_large_squares ? std::max(block, large_square) : block;
}

}  // namespace tilewright::detail
