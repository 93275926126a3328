// Work-groups that process several small matrices of a batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Returns whether `count` matrices of at most `order` rows and columns are better processed several per work-group:
/// full work-groups then matter more than the time of a single matrix.
constexpr bool are_many_small(std::uint64_t count, std::uint64_t order) { return count >= 32 && order <= 32; }

/// Work-items of such a work-group of a GPU: two warps, or one wavefront.
inline constexpr std::uint64_t small_matrices_group = 64;
/// Most local memory of such a work-group, in bytes, so that several share a multiprocessor's local memory.
inline constexpr std::size_t small_matrices_local_bytes = 32768;

/// Returns the number of matrices per work-group of a GPU if each takes `items` work-items, a power of two, and `bytes`
/// of local memory; 0 if a single matrix takes too much.
inline std::uint64_t small_matrices_per_group(const DeviceProfile& device, std::uint64_t items, std::size_t bytes) {
  const std::uint64_t largest_group = std::min(device.max_work_group_size, device.max_work_item_sizes[0]);
  if (bytes > device.local_memory_bytes || items > largest_group) return 0;
  std::uint64_t matrices = std::min(small_matrices_group, largest_group) / items;
  while (matrices > 1 &&
         matrices * bytes > std::min<std::size_t>(small_matrices_local_bytes, device.local_memory_bytes))
    matrices /= 2;
  return matrices;
}

}  // namespace tilewright::detail
