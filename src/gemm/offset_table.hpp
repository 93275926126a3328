#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/opencl.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// The offsets of a batch in device memory, of A, B and C of each product, as kernels read them.
class OffsetTable {
 public:
  OffsetTable(const cl::Context& context, std::uint64_t count)
      : buffer_(context, CL_MEM_READ_ONLY, 3 * count * sizeof(cl_ulong)) {}

  const cl::Buffer& buffer() const { return buffer_; }

  /// Whether these offsets were the last to be written.
  bool holds(const GemmOffsets& offsets) const;

  /// Enqueues the writing of offsets behind `waits`, without blocking; they are copied at once.
  cl::Event write(cl_command_queue queue, const GemmOffsets& offsets, std::span<const cl_event> waits);

 private:
  cl::Buffer buffer_;
  std::vector<cl_ulong> values_;
};

}  // namespace tilewright::detail
