#include "transpose/variants/cpu_blocks.hpp"

#include <algorithm>
#include <bit>

namespace tilewright::detail {

std::int64_t native_vector(const TransposeProblem& p, const DeviceProfile& d) {
  if (p.type.bytes() == 16) return 1;
  const std::uint64_t lanes = std::max(1U, d.native_vector_width_f32) * std::uint64_t{4} / p.type.bytes();
  return static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(lanes, 1, 16)));
}

}  // namespace tilewright::detail
