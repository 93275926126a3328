#include "kernels/launch.hpp"

namespace tilewright::detail {

double groups_of(const Launch& launch) {
  double count = 1;
  for (std::size_t d = 0; d < launch.global.size(); ++d)
    count *= static_cast<double>(launch.global[d] / launch.local[d]);
  return count;
}

std::vector<Launch> in_grids(std::vector<Launch> launches, std::uint64_t batch,
                             const std::array<std::size_t, 3>& max_groups) {
  for (Launch& launch : launches) {
    launch.max_groups = max_groups;
    if (batch == 0) continue;
    launch.global.resize(3, 1);
    launch.local.resize(3, 1);
    if (!launch.shared) launch.global[2] *= batch;
  }
  return launches;
}

}  // namespace tilewright::detail
