#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/witness.hpp"
#include "tilewright/gemm.hpp"

namespace tilewright::detail {

/// The offsets of a batch in device memory, of A, B and C of each product, as kernels read them, and after them the
/// number of the writing.
class OffsetTable {
 public:
  OffsetTable(const cl::Context& context, std::uint64_t count)
      : buffer_(context, CL_MEM_READ_ONLY, (3 * count + 1) * sizeof(cl_ulong)) {}

  const cl::Buffer& buffer() const { return buffer_; }

  /// Whether these offsets, as many as the table is for, were the last to be written, or will have been where the
  /// writing does not fail.
  bool holds(const GemmOffsets& offsets) const;

  /// Appends what calls that rely on the table must wait for: the writing, whatever queue it is on, until it is known
  /// to have been executed.
  void append_to(std::vector<cl_event>& waits) const;

  /// Enqueues the writing of offsets after `waits`, without blocking; they are copied at once. `enqueued` is told of
  /// every command. Returns what the call itself waits for.
  cl::Event write(cl_command_queue queue, const GemmOffsets& offsets, std::span<const cl_event> waits,
                  const std::function<void(cl_event)>& enqueued);

 private:
  cl::Buffer buffer_;
  std::shared_ptr<const std::vector<cl_ulong>> values_;  // null: unknown
  std::unique_ptr<Witness> witness_;
  cl_ulong writings_ = 0;
};

}  // namespace tilewright::detail
