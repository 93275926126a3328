#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/execution_check.hpp"
#include "tilewright/event.hpp"
#include "tilewright/gemm_operands.hpp"

namespace tilewright::detail {

/// The offsets of a batch in device memory: those of A, B and C of each product, as kernels read them, followed by the
/// number of the write.
class OffsetTable {
 public:
  /// The table begins with zeros, which are inside all operands: a device may run a kernel although the command before
  /// it, which writes the table, has failed.
  OffsetTable(const cl::Context& context, std::uint64_t count)
      : buffer_(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, (3 * count + 1) * sizeof(cl_ulong),
                std::vector<cl_ulong>(3 * count + 1).data()) {}

  const cl::Buffer& buffer() const { return buffer_; }

  /// Whether `offsets`, one per product of the table, were written last, or are being written and will be unless the
  /// write fails.
  bool holds(const GemmOffsets& offsets) const;

  /// Appends the event of the write, on whatever queue it is, until it is known to have completed. Calls that use the
  /// table must wait for it.
  void append_to(std::vector<cl_event>& waits) const;

  /// Enqueues a write of `offsets` after `waits`, without blocking; the offsets are copied at once. Calls `enqueued`
  /// with the event of every command. Returns the event of the write, for which the call itself must wait.
  Event write(cl_command_queue queue, const GemmOffsets& offsets, std::span<const cl_event> waits,
              const std::function<void(cl_event)>& enqueued);

 private:
  cl::Buffer buffer_;
  std::shared_ptr<const std::vector<cl_ulong>> values_;  // null: unknown contents
  std::unique_ptr<ExecutionCheck> execution_check_;
  cl_ulong writings_ = 0;
};

}  // namespace tilewright::detail
