#include "runtime/device/private_memory.hpp"

#include <algorithm>
#include <cstdint>

namespace tilewright::detail {

std::size_t private_memory_limit(const DeviceProfile& profile) {
  if (profile.type == DeviceType::cpu) return 1536 << 10;
  constexpr std::uint64_t resident_items = 2048;                        // per compute unit, on NVIDIA, AMD and Intel
  constexpr std::uint64_t min_bytes = 20 << 10, max_bytes = 512 << 10;  // CUDA allows 512 KB
  const std::uint64_t items = std::max(1U, profile.compute_units) * resident_items;
  return static_cast<std::size_t>(std::clamp(profile.global_memory_bytes / 16 / items, min_bytes, max_bytes));
}

}  // namespace tilewright::detail
