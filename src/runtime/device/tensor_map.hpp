// Tensor maps, by which NVIDIA's GPUs of compute capability 9.0 copy boxes of a matrix to local memory: see
// cl/common/ptx_boxes.cl.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tilewright::detail {

/// A row-major matrix, and the boxes of it that a kernel copies. Rows begin at multiples of 16 bytes.
struct BoxedMatrix {
  std::size_t element = 1;        ///< bytes: 1, 2 or 4
  std::uint64_t columns = 1;      ///< at most max_boxed_size
  std::uint64_t rows = 1;         ///< at most max_boxed_size
  std::uint64_t ld = 1;           ///< in elements; at most max_boxed_ld bytes
  std::uint64_t box_columns = 1;  ///< elements of 128 bytes
  std::uint64_t box_rows = 1;     ///< at most 256
};

/// Limits: coordinates are 32-bit integers, and strides have 40 bits.
inline constexpr std::uint64_t max_boxed_size = 0x7fffffff;
inline constexpr std::uint64_t max_boxed_ld = (std::uint64_t{1} << 40) - 16;

using TensorMap = std::array<std::uint32_t, 32>;

/// Returns the map of a matrix at any address below 2^49 that is a multiple of 16. Rows of a box fill 128 bytes of
/// local memory; their 16-byte chunk c is stored at position c ^ (row % 8).
TensorMap tensor_map(const BoxedMatrix& matrix);

}  // namespace tilewright::detail
