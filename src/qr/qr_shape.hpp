// How a device factors: the options of the kernels in cl/qr/, and the widths of panels.
#pragma once

#include <cstdint>
#include <string>

#include "qr/qr_problem.hpp"
#include "tilewright/device.hpp"

namespace tilewright::detail {

/// A matrix is factored panel by panel, and a panel sub-panel by sub-panel. A launch factors one sub-panel.
struct QrShape {
  bool by_items = false;        ///< one work-item factors a sub-panel, as suits CPUs; otherwise work-groups do
  std::uint64_t subpanel = 16;  ///< columns of a sub-panel
  std::uint64_t panel = 128;  ///< columns of a panel, a multiple of `subpanel`; the trailing matrix is updated after it
  bool private_copy = false;  ///< by_items: a sub-panel fits into private memory
  std::uint64_t lanes = 1;    ///< by_items: rows that a work-item processes as one vector
  std::uint64_t vectors = 4;  ///< by_items: vectors of a column that a work-item processes at a time
  std::uint64_t rows = 1;     ///< rows of a sub-panel that a work-item holds
  std::size_t group = 256;    ///< work-items of a work-group
  std::size_t panel_group = 256;  ///< work-items of a work-group that factors sub-panels
  // cl/qr/factor_small.cl, which factors batches of small matrices
  std::uint64_t matrices = 0;       ///< matrices per work-group; 0: the other kernels factor
  std::uint64_t small_rows = 4;     ///< most rows of a matrix, a multiple of 4
  std::uint64_t small_columns = 4;  ///< most columns of a matrix, a power of two
  bool aligned_buffers = false;     ///< DeviceProfile::aligned_buffers: a complex element is one load
  /// Largest number of work-groups of a launch that may wait for each other; 0 if none may.
  std::uint64_t resident_groups = 0;

  /// Returns the -D options.
  std::string options(DataType type) const;
};

/// Rows of a sub-panel that fits into private memory: PRIVATE_ROWS of panel_item.cl.
inline constexpr std::uint64_t private_rows = 64;

/// `rows` x `columns`: the matrix that is factored, or whose reflectors are used.
QrShape qr_shape(const DeviceProfile& device, DataType type, std::uint64_t rows, std::uint64_t columns,
                 std::uint64_t batch_count);

}  // namespace tilewright::detail
