// Parameters of the Cholesky kernels for each kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The parameters of the kernels of cl/cholesky/.
struct PotrfShape {
  const char* file;               ///< kernel file of factor_block
  std::int64_t block;             ///< rows of a block
  std::int64_t group;             ///< work-items that factor a block
  std::int64_t edge;              ///< EDGE of factor_group.cl; 0 for factor_item.cl
  std::int64_t register_columns;  ///< REGISTER_COLUMNS of factor_item.cl
  std::int64_t vector_rows;       ///< rows per vector: LINES of factor_item.cl
  std::int64_t tile_group;        ///< work-items per work-group of subtract_tiles.cl
  std::int64_t tile_run;          ///< elements per work-item of subtract_tiles.cl
  std::int64_t matrices = 1;      ///< matrices per work-group: MATRICES of factor_small.cl; 1: the other kernels

  std::string defines() const;  ///< -D options of the kernels
};

/// Returns the parameters for matrices of order n, of which `count` are factored together. If they are inverted, count
/// is 1.
PotrfShape potrf_shape(DataType type, std::uint64_t n, std::uint64_t count, const DeviceProfile& device);

}  // namespace tilewright::detail
