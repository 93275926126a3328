// Which parts of A are expanded, if any, and the parameters of the kernel that expands them.
#pragma once

#include <cstdint>

#include "symm/problem.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Whether one product may pack A from its stored triangle: the packed A fits into memory, and B has enough lines. The
/// number of lines does not matter if the caller has chosen the variant: `is_chosen`.
bool may_pack_triangle(const SymmSystem& system, const DeviceProfile& device, bool is_chosen);

/// The parameters of cl/symm/expand.cl.
struct SymmTile {
  std::int64_t rows;   ///< rows and columns of a tile
  std::int64_t group;  ///< work-items per work-group
};

SymmTile symm_tile(DataType type, const DeviceProfile& device);

/// The diagonal blocks that are expanded to full matrices in the workspace.
struct SymmBlocks {
  std::uint64_t rows = 0;    ///< rows of a block; the order of A if all of it is expanded
  std::uint64_t ld = 0;      ///< leading dimension of the expanded blocks, which follow each other
  std::uint64_t stride = 0;  ///< elements between the blocks of consecutive A; 0: all products share one A

  std::uint64_t count(std::uint64_t order) const { return (order + rows - 1) / rows; }
};

SymmBlocks symm_blocks(const SymmSystem& system, const DeviceProfile& device);

}  // namespace tilewright::detail
