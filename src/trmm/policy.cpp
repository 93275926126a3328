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
constexpr const char* tiles_file = "trmm/multiply_tiles.cl";

// GPUs: one tile of 4 x 4 sums per work-item, and vectors of 16 bytes. The block's lines, and all or some columns of T,
// take about 34 KiB of local memory for every type.
TrmmShape gpu(const TrmmSystem& system) {
  const DataType type = system.problem.type;
  const bool is_f64 = part_of(accumulator_of(type)) == DataType::f64;
  const auto size = static_cast<std::int64_t>(accumulator_bytes(type) / 4);  // 1, 2 or 4
  return {.file = tiles_file,
          .block = 64,
          .lines = 64 / size,
          .rows = 4,
          .vec = is_f64 ? 2 : 4,
          .vectors = is_f64 ? 2 : 1,
          .strip = 16 / size,
          .group = 256 / size,
          .adjacent_rows = system.step == 1};
}

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

bool uses(const TrmmShape& shape, std::string_view file) { return shape.file == file; }

std::size_t local_bytes(const TrmmShape& shape, DataType type) {
  std::int64_t elements = shape.block * (uses(shape, rows_file) ? shape.block : shape.lines);
  // The columns of T, and a vector of padding per row. That of the parts of complex numbers is half an element each.
  if (uses(shape, tiles_file)) elements += shape.block * (shape.rows * shape.strip + 2 * shape.vec);
  return static_cast<std::size_t>(elements) * accumulator_bytes(type);
}

bool fits(const TrmmShape& shape, DataType type, const DeviceProfile& device) {
  return static_cast<std::size_t>(shape.group) <= std::min(device.max_work_group_size, device.max_work_item_sizes[0]) &&
         local_bytes(shape, type) <= device.local_memory_bytes;
}

// Halves the block while it holds the whole triangle or too much local memory, so that small systems of a batch waste
// no time.
void shrink(TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device) {
  const bool by_rows = uses(shape, rows_file);
  if (by_rows) {
    if (static_cast<std::uint64_t>(shape.vec) >= system.order) shape.vectors = 1;
    while (shape.vec > 1 && static_cast<std::uint64_t>(shape.vec / 2) >= system.order) shape.vec /= 2;
  }
  const std::int64_t least = by_rows ? shape.vec * shape.vectors : shape.rows;
  while (shape.block / 2 >= least && (static_cast<std::uint64_t>(shape.block / 2) >= system.order ||
                                      local_bytes(shape, system.problem.type) > device.local_memory_bytes))
    shape.block /= 2;
  if (!uses(shape, tiles_file)) return;
  const std::int64_t tile_rows = shape.block / shape.rows;
  shape.strip = std::min(shape.strip, tile_rows);
  shape.group = tile_rows * (shape.lines / (shape.vec * shape.vectors));
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
  if (uses(*this, rows_file)) return common + define("REGISTER_LINES", rows);
  std::string grouped = common + define("ROWS", rows) + define("WG", group);
  if (uses(*this, lines_file)) return grouped;
  return grouped + define("STRIP", strip) + define("ADJACENT_ROWS", adjacent_rows ? 1 : 0);
}

TrmmShape trmm_shape(const TrmmSystem& system, const DeviceProfile& device) {
  TrmmShape shape = gpu(system);
  if (device.type == DeviceType::cpu || !fits(shape, system.problem.type, device)) shape = cpu(system, device);
  shrink(shape, system, device);
  shape.part = rows_of_part(shape, system, device);
  return shape;
}

bool may_multiply_whole(const TrmmSystem& system, const DeviceProfile& device, bool is_chosen) {
  // On the right the triangle is packed, and must serve enough rows of B: more if the packed copy leaves the caches, or
  // if a complex one is expanded before. Measured on PoCL.
  constexpr std::uint64_t least_order = 65, least_lines = 64, least_lines_from_memory = 192, least_complex_lines = 256;
  constexpr std::uint64_t caches = std::uint64_t{16} << 20;
  const TrmmProblem& p = system.problem;
  const bool packs_b = system.is_left(), is_shared = !packs_b && p.batch.stride_a == 0;
  const std::uint64_t parts = is_complex(p.type) ? 2 : 1, count = p.batch.count;
  const std::uint64_t columns = packs_b ? system.lines : system.order;
  const std::uint64_t packed =
      bytes_of(system.order * (is_shared ? 1 : count), columns, parts * accumulator_bytes(p.type));
  if (packed > device.max_allocation_bytes / 4) return false;
  if (is_chosen) return true;
  const std::uint64_t lines = system.lines * (is_shared ? count : 1);
  const std::uint64_t least = parts == 2        ? std::min(system.order, least_complex_lines)
                              : packed > caches ? least_lines_from_memory
                                                : least_lines;
  return system.order >= least_order && (packs_b || lines >= least);
}

std::uint64_t trmm_lines_per_block(const TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device) {
  constexpr std::uint64_t lines = 128;  // of the largest tiles
  const bool is_one_block = system.order <= static_cast<std::uint64_t>(shape.block);
  return is_one_block || system.keeps_sums() || !can_copy(system.order, system, device) ? 0 : lines;
}

std::uint64_t trmm_square(const TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device) {
  // From here on, larger tiles of C gain more than another level costs.
  constexpr std::uint64_t least_order_of_large_squares = 4096, large_square = 128;
  const auto block = static_cast<std::uint64_t>(shape.block);
  if (system.order <= 2 * block || !can_copy(system.order, system, device)) return 0;
  return system.order >= least_order_of_large_squares ? std::max(block, large_square) : block;
}

}  // namespace tilewright::detail
