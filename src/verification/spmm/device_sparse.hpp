// A sparse matrix as a caller has it on the device.
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

/// Sorts places as a format stores them, coo by no order at all, and makes its arrays.
HostSparse stored_as(SparseFormat format, std::vector<Place>& places, std::uint64_t m, std::uint64_t k,
                     std::uint64_t seed);

/// The arrays in device memory, each from a few indices after its buffer's beginning on.
class DeviceSparse {
 public:
  DeviceSparse(const cl::Context& context, const HostSparse& host, IndexType type, std::uint64_t base);

  SparseStructure structure() const;

 private:
  cl::Buffer offsets_, rows_, columns_;
};

}  // namespace tilewright::verification
