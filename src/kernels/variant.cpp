#include "kernels/variant.hpp"

namespace tilewright::detail {

// Fitted to the stack frames of PoCL 3.1's kernels, whose real size is at most 1.8 times this.
std::uint64_t kept_across_barriers(const DeviceProfile& device, std::int64_t items, std::uint64_t arrays,
                                   std::int64_t steps) {
  constexpr std::uint64_t of_arrays = 5, of_step = 16, of_item = 512;
  if (device.type != DeviceType::cpu || items == 1) return arrays;
  return of_arrays * arrays + of_step * static_cast<std::uint64_t>(steps) + of_item;
}

}  // namespace tilewright::detail
