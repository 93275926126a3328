#pragma once

#include "runtime/device/opencl.hpp"
#include "spmm/partition.hpp"
#include "spmm/structure.hpp"

namespace tilewright::detail {

/// The rows of op(A) in device memory, in the form that kernels read.
struct DeviceStructure {
  cl::Buffer offsets;      ///< followed by the lists of Partition if the walk is divided into chunks
  cl::Buffer columns;      ///< null if no element is stored
  cl::Buffer permutation;  ///< null if there is none
  std::uint64_t bytes = 0;
};

/// Copies the rows, and `chunks` unless null, to the device. Throws Error(out_of_memory).
DeviceStructure on_device(const cl::Context& context, const DeviceProfile& device, const AnyRows& rows,
                          const Partition* chunks);

}  // namespace tilewright::detail
