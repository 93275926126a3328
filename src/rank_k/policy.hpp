// Block sizes and parameters of the kernel of rank-k updates for each kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "rank_k/problem.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

struct RankKShape {
  std::uint64_t block;      ///< rows of the blocks on the diagonal
  std::uint64_t grid;       ///< blocks per side of the squares on the diagonal that one product divides; at least 2
  std::int64_t lanes;       ///< LANES of merge_triangle.cl
  std::int64_t group_rows;  ///< GROUP_ROWS of merge_triangle.cl
  std::int64_t item_rows;   ///< ITEM_ROWS of merge_triangle.cl

  std::string defines() const;  ///< -D options of the kernel
};

/// Returns the parameters for a problem.
RankKShape rank_k_shape(const RankKSystem& system, const DeviceProfile& device);

/// Returns whether products of the triangle alone are expected to be faster than blocks, if gemm chooses a variant that
/// can skip tiles.
bool prefers_triangles(const RankKSystem& system, const DeviceProfile& device);

}  // namespace tilewright::detail
