#include "kernels/variant.hpp"

#include <algorithm>

#include "kernels/element_type.hpp"

namespace tilewright::detail {

std::string type_violation(const std::vector<DataType>& types, DataType type) {
  if (std::find(types.begin(), types.end(), type) != types.end()) return {};
  std::string names;
  for (const DataType known : types) names += (names.empty() ? "" : " and ") + std::string(to_string(known));
  return "its kernel takes " + names + ", not " + std::string(to_string(type));
}

// Fitted to the stack frames of PoCL 3.1's kernels, which take at most 1.8 times as much.
std::uint64_t kept_across_barriers(const DeviceProfile& device, std::int64_t items, std::uint64_t arrays,
                                   std::int64_t steps) {
  constexpr std::uint64_t of_arrays = 5, of_step = 16, of_item = 512;
  if (device.type != DeviceType::cpu || items == 1) return arrays;
  return of_arrays * arrays + of_step * static_cast<std::uint64_t>(steps) + of_item;
}

}  // namespace tilewright::detail
