// A sparse matrix in a caller's storage on the device.
#pragma once

#include <vector>

#include "runtime/device/opencl.hpp"
#include "tilewright/spmm.hpp"
#include "verification/spmm/sparse_pattern.hpp"

namespace tilewright::verification {

/// Arrays of a structure on the host, with 0-based indices.
struct HostSparse {
  std::vector<std::uint64_t> offsets{}, rows{}, columns{};
};

/// Sorts places into a format's order, which is random for coo, and returns its arrays.
HostSparse stored_as(SparseFormat format, std::vector<Place>& places, std::uint64_t m, std::uint64_t k,
                     std::uint64_t seed);

/// The arrays in device memory, each at an offset of a few indices in its buffer.
class DeviceSparse {
 public:
  DeviceSparse(const cl::Context& context, const HostSparse& host, IndexType type, std::uint64_t base);

  SparseStructure structure() const;

 private:
  cl::Buffer offsets_, rows_, columns_;
};

}  // namespace tilewright::verification
