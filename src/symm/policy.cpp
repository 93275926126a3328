#include "symm/policy.hpp"

#include <algorithm>

#include "kernels/element_type.hpp"
#include "kernels/operands/parts_alignment.hpp"
#include "kernels/sizes.hpp"

namespace tilewright::detail {
namespace {

// Blocks of fewer rows make the products next to them too small to be worth a launch.
constexpr std::uint64_t smallest_block = 256;
// From this order on, A moves through memory in more time than a few launches take.
constexpr std::uint64_t least_order_of_blocks = 1024;
// An expanded A is written once and read once, besides the triangle: 3.5 times the traffic of two products with the
// parts of the triangle. If A has at least 16 rows for each column of B, that traffic takes most of the time.
constexpr std::uint64_t rows_per_line = 16;

bool keeps_triangle(const SymmSystem& system) {
  const std::uint64_t order = system.order();
  return order >= least_order_of_blocks && system.lines() * rows_per_line <= order;
}

// Sums of f16 and bf16 are rounded when they are stored, so they must be whole.
bool may_split(DataType type) { return size_of(type) > 2; }

SymmBlocks blocks_of(const SymmSystem& system, std::uint64_t rows) {
  const std::uint64_t order = system.order(), existing = std::min(rows, order), ld = aligned_ld(existing);
  return {.rows = existing, .ld = ld, .stride = system.problem.batch.stride_a == 0 ? 0 : order * ld};
}

}  // namespace

bool may_pack_triangle(const SymmSystem& system, const DeviceProfile& device, bool is_chosen) {
  const std::uint64_t packed =
      bytes_of(system.order() * system.copies_of_a(), system.order(), accumulator_bytes(system.problem.type));
  return packed <= device.max_allocation_bytes / 4 && (is_chosen || !keeps_triangle(system));
}

SymmTile symm_tile(DataType type, const DeviceProfile& device) {
  constexpr std::size_t tile = 32, group = 256;
  if (device.type != DeviceType::cpu && std::min(device.max_work_group_size, device.max_work_item_sizes[0]) >= group &&
      tile * (tile + 1) * size_of(type) <= device.local_memory_bytes)
    return {.rows = tile, .group = group};
  // A tile of 4 KiB and its two places in memory fit into the first cache.
  return {.rows = type == DataType::c128 ? 16 : 32, .group = 1};
}

SymmBlocks symm_blocks(const SymmSystem& system, const DeviceProfile& device) {
  const std::uint64_t order = system.order();
  if (!may_split(system.problem.type)) return blocks_of(system, order);
  const std::uint64_t most = device.max_allocation_bytes / 4;
  const auto is_too_large = [&](std::uint64_t rows) {
    return bytes_of(order * system.copies_of_a(), blocks_of(system, rows).ld, size_of(system.problem.type)) > most;
  };
  const bool splits = keeps_triangle(system);
  if (!splits && !is_too_large(order)) return blocks_of(system, order);
  std::uint64_t rows = smallest_block;
  while (2 * rows < order && !is_too_large(2 * rows) && (!splits || 8 * rows < order)) rows *= 2;
  return blocks_of(system, rows);
}

}  // namespace tilewright::detail
