#include "transpose/variants/cpu_blocks.hpp"

#include <algorithm>
#include <bit>

namespace tilewright::detail {

std::int64_t native_vector(const TransposeProblem& p, const DeviceProfile& d) {
  if (p.type.bytes() == 16) return 1;
  const std::uint64_t lanes = std::max(1U, d.native_vector_width_f32) * std::uint64_t{4} / p.type.bytes();
  return static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(lanes, 1, 16)));
}

std::vector<Constraint<TransposeProblem>> vector_constraints() {
  return {{"vector is 1, 2, 4, 8 or 16",
           "OpenCL C has no other vectors",
           {"vector"},
           [](const Configuration& c, const TransposeProblem&, const DeviceProfile&) {
             return is_vector_width(c["vector"]);
           }},
          {"vector is 1 if elements have 16 bytes",
           "such elements are vectors already",
           {"vector"},
           [](const Configuration& c, const TransposeProblem& p, const DeviceProfile&) {
             return p.type.bytes() < 16 || c["vector"] == 1;
           }}};
}

}  // namespace tilewright::detail
