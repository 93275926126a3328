#pragma once

#include "runtime/device/opencl.hpp"
#include "spmm/partition.hpp"
#include "spmm/structure.hpp"

namespace tilewright::detail {

/// op(A)'s rows in device memory, as kernels take them.
struct DeviceStructure {
  cl::Buffer offsets;      ///< and, where the walk is in chunks, Partition's lists after them
  cl::Buffer columns;      ///< null where no element is stored
  cl::Buffer permutation;  ///< null where there is none
  std::uint64_t bytes = 0;
};

/// Copies the rows, and `chunks` where they are not null. Throws Error(out_of_memory).
DeviceStructure on_device(const cl::Context& context, const DeviceProfile& device, const AnyRows& rows,
                          const Partition* chunks);

}  // namespace tilewright::detail
