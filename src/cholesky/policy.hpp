// Parameters of the Cholesky kernels for each kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The parameters of the kernels of cl/cholesky/.
struct PotrfShape {
  const char* file;               ///< kernel file that factors a block
  std::int64_t block;             ///< rows of a block
  std::int64_t group;             ///< work-items that factor a block
  std::int64_t edge;              ///< EDGE of factor_panel.cl; 0 for other kernels
  std::int64_t register_columns;  ///< REGISTER_COLUMNS of factor_item.cl
  std::int64_t vector_rows;       ///< rows per vector: LINES of factor_item.cl
  std::int64_t tile_group;        ///< work-items per work-group of subtract_tiles.cl
  std::int64_t tile_run;          ///< elements per work-item of subtract_tiles.cl
  std::int64_t matrices = 1;      ///< matrices per work-group: MATRICES of factor_small.cl; 1: the other kernels
  bool solves_below = false;      ///< factor_panel.cl also solves for the rows below, by groups that wait

  std::string defines() const;  ///< -D options of the kernels
};

/// The task of a launch on a diagonal block: A = L L^H becomes L, or L becomes the inverse of L L^H.
enum class DiagonalTask { factor, invert };

/// Returns the parameters for matrices of order n, of which `count` are processed together.
PotrfShape potrf_shape(DiagonalTask task, DataType type, std::uint64_t n, std::uint64_t count,
                       const DeviceProfile& device);

}  // namespace tilewright::detail
