// How blocks of the diagonal are factored, by the kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The parameters of the kernels of cl/cholesky/.
struct PotrfShape {
  const char* file;  ///< of factor_block
  std::int64_t block;
  std::int64_t group;                    ///< work-items that factor a block
  std::int64_t edge;                     ///< of factor_group.cl
  std::int64_t register_columns, lines;  ///< of factor_item.cl
  std::int64_t tile_group, tile_run;     ///< of subtract_tiles.cl

  std::string defines() const;
};

PotrfShape potrf_shape(DataType type, std::uint64_t n, const DeviceProfile& device);

}  // namespace tilewright::detail
