// How blocks of the diagonal are solved, by the kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The parameters of the kernels of cl/triangular/.
struct TrsmShape {
  const char* file;            ///< of solve_block
  std::int64_t block;          ///< rows that are solved by one launch; a power of two
  std::int64_t lines;          ///< that a work-group solves
  std::int64_t group;          ///< its work-items
  std::int64_t stage;          ///< rows that are solved together
  std::int64_t register_rows;  ///< rows of T that are stored together
  std::int64_t pack_rows, pack_row_items, pack_group;
  std::int64_t update_group = 0;  ///< work-items of update_rows.cl; 0: products are gemm's, however few lines there are

  std::string defines() const;
  bool updates_rows(std::uint64_t all_lines) const { return update_group > 0 && all_lines <= max_few_lines; }

  static constexpr std::uint64_t max_few_lines = 16;
  static constexpr std::int64_t few_lines = 8;       ///< FEW of update_rows.cl
  static constexpr std::int64_t rows_of_group = 32;  ///< and its UPDATE_ROWS
};

/// The shape for triangles of an order. A block has fewer than twice as many rows as a triangle that it holds alone.
TrsmShape trsm_shape(DataType type, std::uint64_t order, const DeviceProfile& device);

}  // namespace tilewright::detail
