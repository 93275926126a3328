// Parameters of the kernels of cl/trmm/ for each kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "trmm/problem.hpp"

namespace tilewright::detail {

/// The parameters of the kernels, and the rows that are multiplied together.
struct TrmmShape {
  const char* file;            ///< kernel file of multiply_blocks
  std::int64_t block;          ///< rows of a diagonal block
  std::int64_t lines;          ///< lines of B per work-group
  std::int64_t rows;           ///< rows, in multiply_rows.cl lines, whose sums are in registers
  std::int64_t vec;            ///< elements per vector
  std::int64_t vectors;        ///< vectors whose sums are in registers
  std::int64_t strip = 0;      ///< multiply_tiles.cl: tile columns of T in local memory
  std::int64_t group;          ///< work-items per work-group
  bool adjacent_rows = false;  ///< multiply_tiles.cl: the elements of a line of B are contiguous
  std::uint64_t part = 0;      ///< rows that are copied and multiplied level by level: a power of two times `block`

  std::string defines() const;  ///< -D options of the kernel
};

/// Returns the parameters for a problem.
TrmmShape trmm_shape(const TrmmSystem& system, const DeviceProfile& device);

/// Returns whether one product with the whole triangle may replace the blocks: its packed operands fit into memory, and
/// it may be faster. Speed does not matter if the caller has chosen the variant: `is_chosen`.
bool may_multiply_whole(const TrmmSystem& system, const DeviceProfile& device, bool is_chosen);

/// Returns the lines per block of a product with the triangle and a copy of B; 0: blocks are faster, or the copy does
/// not fit.
std::uint64_t trmm_lines_per_block(const TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device);

/// Returns the rows of the squares on the diagonal outside which one product with a range of k may multiply; 0: such a
/// product is not worth a launch, or the copy of B does not fit.
std::uint64_t trmm_square(const TrmmShape& shape, const TrmmSystem& system, const DeviceProfile& device);

}  // namespace tilewright::detail
