// How a device factors: the options of the kernels in cl/lu/, and the widths of panels.
#pragma once

#include <cstdint>
#include <string>

#include "lu/lu_problem.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

/// Bytes of a pivot and of an info.
inline constexpr std::uint64_t integer_bytes = 8;

/// A matrix is factored panel by panel, and a panel sub-panel by sub-panel. A launch factors one sub-panel.
struct LuShape {
  bool by_items = false;        ///< one work-item factors a sub-panel, as suits CPUs; otherwise work-groups do
  std::uint64_t subpanel = 32;  ///< columns of a sub-panel
  std::uint64_t capacity = 32;  ///< largest number of columns that the kernels accept: their option SUBPANEL
  std::uint64_t panel = 256;  ///< columns of a panel, a multiple of `subpanel`; the trailing matrix is updated after it
  bool aligned_buffers = false;      ///< DeviceProfile::aligned_buffers: a complex element is one load
  bool private_copy = false;         ///< one_launch: the copy fits into private memory
  bool one_launch = false;           ///< by_items: one launch factors the whole matrix, in a copy
  bool warp_pick = false;            ///< work-items of a warp compare candidates with PTX instructions
  bool wide_index = true;            ///< elements of a matrix are counted with 64 bits
  std::uint64_t interchanges = 256;  ///< row interchanges that work-groups apply at a time
  std::uint64_t lanes = 1;           ///< columns that a work-item processes as one vector
  std::uint64_t rows = 1;            ///< rows of a sub-panel that a work-item holds
  std::size_t group = 256;           ///< work-items of a work-group
  std::size_t panel_group = 256;     ///< work-items of a work-group that factors sub-panels
  std::size_t narrow_group = 64;     ///< work-items of a work-group if the work is spread over many groups
  // cl/lu/factor_small.cl, which factors batches of small matrices
  std::uint64_t matrices = 0;       ///< matrices per work-group; 0: the other kernels factor
  std::uint64_t small_rows = 4;     ///< most rows of a matrix, a power of two
  std::uint64_t small_columns = 4;  ///< most columns of a matrix, a multiple of 4
  std::uint64_t max_groups = 64;    ///< work-groups of a sub-panel whose pivot candidates fit into local memory
  /// Largest number of work-groups of a launch that may wait for each other; 0 if none may. All of them must run at the
  /// same time, whatever else runs on the device.
  std::uint64_t resident_groups = 0;

  /// Returns the -D options.
  std::string options(DataType type) const;
};

LuShape lu_shape(const DeviceProfile& device, const LuProblem& problem);

}  // namespace tilewright::detail
