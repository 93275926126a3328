#include "triangular/policy.hpp"

#include <algorithm>
#include <array>

#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

constexpr const char* group_file = "triangular/solve_group.cl";
constexpr const char* item_file = "triangular/solve_item.cl";

// GPUs: a block of 128 is solved in about the time of two launches, so that launches are few for their work; 16 or 32
// lines leave room for several groups in a multiprocessor's local memory. Smaller ones where that is scarce. With few
// lines, halves would be many small products of gemm, each of which waits for more than it reads.
constexpr TrsmShape gpu(std::int64_t block, std::int64_t lines, std::int64_t group) {
  return {.file = group_file,
          .block = block,
          .lines = lines,
          .group = group,
          .stage = 16,
          .register_rows = 1,
          .pack_rows = 16,
          .pack_row_items = 32,
          .pack_group = group,
          .update_group = group};
}
constexpr std::array gpu_f32{gpu(128, 32, 256), gpu(64, 16, 64)};
constexpr std::array gpu_f64{gpu(128, 16, 256), gpu(64, 16, 64)};

// CPUs: one work-item has as many lines as fill two vectors, and as many rows in registers as leave room for T. A block
// of 128 costs as much as the product beside it does, and a launch a hundredth of that for some hundred lines.
TrsmShape cpu(unsigned vector) {
  const std::int64_t lines = std::clamp<std::int64_t>(2 * static_cast<std::int64_t>(vector), 4, 16);
  const std::int64_t rows = vector >= 8 ? 8 : 4;
  return {.file = item_file,
          .block = 128,
          .lines = lines,
          .group = 1,
          .stage = rows,
          .register_rows = rows,
          .pack_rows = 128,
          .pack_row_items = 1,
          .pack_group = 1};
}

// The smallest block for a triangle that needs only one, so that a batch takes memory and time for its own elements.
TrsmShape shrunk(TrsmShape shape, std::uint64_t order) {
  while (shape.block > 2 && static_cast<std::uint64_t>(shape.block / 2) >= order) shape.block /= 2;
  if (static_cast<std::uint64_t>(shape.block) < order) return shape;
  shape.update_group = 0;  // no rows are left to update
  shape.stage = std::min(shape.stage, shape.block);
  shape.register_rows = std::min(shape.register_rows, shape.block);
  shape.pack_rows = std::min(shape.pack_rows, shape.block);
  shape.pack_row_items = std::min(shape.pack_row_items, shape.block);
  if (shape.group == 1) return shape;
  shape.lines = std::min(shape.lines, std::max<std::int64_t>(16, shape.block));
  shape.group = shape.pack_group = std::min(shape.group, std::max<std::int64_t>(64, 4 * shape.block));
  return shape;
}

bool fits(const TrsmShape& shape, DataType type, const DeviceProfile& device) {
  const auto group = static_cast<std::size_t>(shape.group);
  const auto elements = static_cast<std::size_t>(
      std::max(shape.block * (shape.lines + 1 + shape.stage + 1),
               TrsmShape::rows_of_group * (shape.block + 1) + shape.block * TrsmShape::few_lines));
  return group <= std::min(device.max_work_group_size, device.max_work_item_sizes[0]) &&
         elements * size_of(type) <= device.local_memory_bytes;
}

}  // namespace

std::string TrsmShape::defines() const {
  return " -DBLOCK=" + std::to_string(block) + " -DLINES=" + std::to_string(lines) + " -DWG=" + std::to_string(group) +
         " -DSTAGE=" + std::to_string(stage) + " -DREGISTER_ROWS=" + std::to_string(register_rows) +
         " -DROWS=" + std::to_string(pack_rows) + " -DROW_ITEMS=" + std::to_string(pack_row_items) +
         " -DPACK_WG=" + std::to_string(pack_group) +
         (update_group > 0 ? " -DFEW=" + std::to_string(few_lines) + " -DUPDATE_WG=" + std::to_string(update_group)
                           : "");
}

TrsmShape trsm_shape(DataType type, std::uint64_t order, const DeviceProfile& device) {
  if (device.type != DeviceType::cpu)
    for (const TrsmShape& shape : type == DataType::f64 ? gpu_f64 : gpu_f32)
      if (fits(shape, type, device)) return shrunk(shape, order);
  return shrunk(cpu(native_vector_width(device, type)), order);
}

}  // namespace tilewright::detail
