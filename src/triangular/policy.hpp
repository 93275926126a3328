// How blocks of the diagonal are solved, by the kind of device.
#pragma once

#include <cstdint>
#include <string>

#include "tilewright/device.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The parameters of the kernels of cl/triangular/.
struct TrsmShape {
  const char* file;  ///< of solve_block
  std::int64_t block;
  std::int64_t lines;          ///< that a work-group solves
  std::int64_t group;          ///< its work-items
  std::int64_t register_rows;  ///< rows of T that are stored together
  std::int64_t pack_rows, pack_row_items, pack_group;

  std::string defines() const;
};

TrsmShape trsm_shape(DataType type, const DeviceProfile& device);

}  // namespace tilewright::detail
