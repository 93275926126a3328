#include "triangular/policy.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "kernels/build_options.hpp"
#include "kernels/element_type.hpp"

namespace tilewright::detail {
namespace {

constexpr const char* group_file = "triangular/solve_group.cl";
constexpr const char* item_file = "triangular/solve_item.cl";

// GPUs: solving a block of 128 rows takes about as long as two launches, so few launches are needed. 16 or 32
// right-hand sides leave room for several work-groups in a multiprocessor's local memory; blocks are smaller if local
// memory is scarce. With few right-hand sides, update_rows.cl replaces many small gemm products, whose latency exceeds
// their memory traffic.
constexpr TrsmShape gpu(std::int64_t block, std::int64_t nrhs, std::int64_t group) {
  return {.file = group_file,
          .block = block,
          .nrhs = nrhs,
          .group = group,
          .stage = 16,
          .register_rows = 1,
          .pack_file = "triangular/pack_diagonal.cl",
          .pack_rows = 16,
          .pack_row_items = 32,
          .pack_group = group,
          .update_group = group};
}
constexpr std::array gpu_f32{gpu(128, 32, 256), gpu(64, 16, 64)};
constexpr std::array gpu_f64{gpu(128, 16, 256), gpu(64, 16, 64)};
constexpr std::array gpu_c128{gpu(64, 16, 256), gpu(32, 16, 64)};  // an element takes four registers

std::span<const TrsmShape> gpu_shapes(DataType type) {
  if (type == DataType::c128) return gpu_c128;
  return type == DataType::f32 ? std::span(gpu_f32) : gpu_f64;
}

// CPUs: the right-hand sides of one work-item fill two vectors of `vector` numbers, or one of 16, and its rows leave
// registers for T. A block of 128 rows costs as much as its product with the next block. With some hundred right-hand
// sides a launch costs a hundredth of that. `parts`: numbers per element.
TrsmShape cpu(unsigned vector, std::int64_t parts) {
  const std::int64_t nrhs = std::clamp<std::int64_t>(2 * static_cast<std::int64_t>(vector), 4, 16) / parts;
  const std::int64_t rows = vector >= 8 ? 8 : 4;
  return {.file = item_file,
          .block = 128,
          .nrhs = nrhs,
          .group = 1,
          .stage = rows,
          .register_rows = rows,
          .pack_file = "triangular/pack_item.cl",
          .pack_rows = 128,
          .pack_row_items = 1,
          .pack_group = 1};
}

// Halves the block while one block holds the triangle, so that small systems of a batch waste no memory or time.
TrsmShape shrunk(TrsmShape shape, std::uint64_t order) {
  while (shape.block > 2 && static_cast<std::uint64_t>(shape.block / 2) >= order) shape.block /= 2;
  if (static_cast<std::uint64_t>(shape.block) < order) return shape;
  shape.update_group = 0;  // one block leaves no rows to update
  shape.stage = std::min(shape.stage, shape.block);
  shape.register_rows = std::min(shape.register_rows, shape.block);
  shape.pack_rows = std::min(shape.pack_rows, shape.block);
  shape.pack_row_items = std::min(shape.pack_row_items, shape.block);
  if (shape.group == 1) return shape;
  shape.nrhs = std::min(shape.nrhs, std::max<std::int64_t>(16, shape.block));
  shape.group = shape.pack_group = std::min(shape.group, std::max<std::int64_t>(64, 4 * shape.block));
  return shape;
}

bool fits(const TrsmShape& shape, DataType type, const DeviceProfile& device) {
  const auto group = static_cast<std::size_t>(shape.group);
  const auto elements = static_cast<std::size_t>(
      std::max(shape.block * (shape.nrhs + 1 + shape.stage + 1),
               TrsmShape::update_rows * (shape.block + 1) + shape.block * TrsmShape::update_nrhs));
  return group <= std::min(device.max_work_group_size, device.max_work_item_sizes[0]) &&
         elements * size_of(type) <= device.local_memory_bytes;
}

}  // namespace

std::string TrsmShape::defines() const {
  return define("BLOCK", block) + define("LINES", nrhs) + define("WG", group) + define("STAGE", stage) +
         define("REGISTER_ROWS", register_rows) + define("ROWS", pack_rows) + define("ROW_ITEMS", pack_row_items) +
         define("PACK_WG", pack_group) +
         (update_group > 0 ? define("FEW", update_nrhs) + define("UPDATE_WG", update_group) : "");
}

TrsmShape trsm_shape(DataType type, std::uint64_t order, const DeviceProfile& device) {
  if (device.type != DeviceType::cpu)
    for (const TrsmShape& shape : gpu_shapes(type))
      if (fits(shape, type, device)) return shrunk(shape, order);
  return shrunk(cpu(native_vector_width(device, part_of(type)), is_complex(type) ? 2 : 1), order);
}

}  // namespace tilewright::detail
