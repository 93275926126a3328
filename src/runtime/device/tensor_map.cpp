#include "runtime/device/tensor_map.hpp"

#include <algorithm>

namespace tilewright::detail {

// The layout is the one that cuTensorMapEncodeTiled of driver 580 writes, found by varying its arguments. A device of
// this compute capability reads it, so no other driver can change it.
TensorMap tensor_map(const BoxedMatrix& matrix) {
  constexpr std::uint32_t dimensions = 4, swizzle_of_128_bytes = 3;
  constexpr std::uint32_t alignment = 1024;  // of boxes in local memory
  const std::uint32_t type = matrix.element == 1 ? 0 : matrix.element == 2 ? 1 : 2;
  // The dimensions beyond the matrix's two make up an address: see cl/common/ptx_boxes.cl.
  const std::array<std::uint64_t, 3> strides{matrix.ld * matrix.element, 16, std::uint64_t{1} << 32};
  const std::array<std::uint64_t, 4> sizes{matrix.columns, matrix.rows, std::uint64_t{1} << 28, std::uint64_t{1} << 17};

  TensorMap map{};
  map[2] = swizzle_of_128_bytes << 13 | type << 7 | (dimensions - 1) << 4;
  for (std::size_t x = 0; x < strides.size(); ++x) {
    map[3 + x] = static_cast<std::uint32_t>(strides[x] >> 4);
    map[7] |= static_cast<std::uint32_t>(strides[x] >> 36) << 4 * x;
  }
  for (std::size_t x = 0; x < sizes.size(); ++x)
    map[8 + x] = static_cast<std::uint32_t>(std::max<std::uint64_t>(sizes[x], 1) - 1);
  map[13] = static_cast<std::uint32_t>(matrix.box_columns - 1) << 24;
  map[14] = static_cast<std::uint32_t>(matrix.box_rows - 1);
  map[16] = static_cast<std::uint32_t>(matrix.box_columns * matrix.box_rows * matrix.element);
  map[18] = alignment;
  return map;
}

}  // namespace tilewright::detail
