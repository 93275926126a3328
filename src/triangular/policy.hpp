// Parameters of the triangular kernels for each kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The parameters of the kernels of cl/triangular/.
struct TrsmShape {
  const char* file;               ///< kernel file of solve_block
  std::int64_t block;             ///< rows that one launch solves; a power of two
  std::int64_t nrhs;              ///< right-hand sides per work-group of solve_block
  std::int64_t group;             ///< work-items per work-group of solve_block
  std::int64_t stage;             ///< rows that are solved together
  std::int64_t register_rows;     ///< rows of T that are stored together
  const char* pack_file;          ///< kernel file of pack_diagonal
  std::int64_t pack_rows;         ///< rows per work-group of pack_diagonal
  std::int64_t pack_row_items;    ///< work-items per row of pack_diagonal
  std::int64_t pack_group;        ///< work-items per work-group of pack_diagonal
  std::int64_t update_group = 0;  ///< work-items per work-group of update_rows.cl; 0: gemm computes every product

  std::string defines() const;  ///< -D options of the kernels
  /// Whether update_rows.cl replaces gemm for a system with `all_nrhs` right-hand sides.
  bool updates_rows(std::uint64_t all_nrhs) const { return update_group > 0 && all_nrhs <= max_update_nrhs; }

  static constexpr std::uint64_t max_update_nrhs = 16;
  static constexpr std::int64_t update_nrhs = 8;   ///< right-hand sides per work-group: FEW of update_rows.cl
  static constexpr std::int64_t update_rows = 32;  ///< rows per work-group: UPDATE_ROWS of update_rows.cl
};

/// Returns the parameters for triangles of an order. If one block holds the whole triangle, it has fewer than twice as
/// many rows.
TrsmShape trsm_shape(DataType type, std::uint64_t order, const DeviceProfile& device);

}  // namespace tilewright::detail
