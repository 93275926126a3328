// The kernels of vector functions, and the types of what reductions write.
#pragma once

#include <cstddef>
#include <string_view>

#include "tilewright/matrix.hpp"

namespace tilewright::detail {

enum class VectorKernel {
  none,  ///< enqueues nothing
  zeroed,
  scaled,
  axpby,
  multiplied,
  copied,
  swapped,
  dot,
  dotc,
  compensated_dot,
  compensated_dotc,
  nrm2,
  asum,
  iamax,
};

struct VectorKernelInfo {
  std::string_view file;  ///< below cl/
  const char* kernel;     ///< name in the file; null: the kernels of cl/vector/reduction.cl
  const char* defines;    ///< further -D options
  bool moves = false;     ///< handles bits of elements instead of numbers
  bool is_reduction() const { return kernel == nullptr; }
};

/// Not for VectorKernel::none.
const VectorKernelInfo& info_of(VectorKernel kernel);

/// Bytes of the element that a reduction writes.
std::size_t result_bytes(VectorKernel kernel, DataType type);

/// Bytes of the partial result that a work-group of a reduction passes on: sum_t of the kernel files.
std::size_t sum_bytes(VectorKernel kernel, DataType type);

}  // namespace tilewright::detail
