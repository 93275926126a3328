// Enqueueing of kernels whose grids may exceed a device's limits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/launch.hpp"
#include "kernels/launch_kernel.hpp"
#include "tilewright/event.hpp"

namespace tilewright::detail {

/// A part of a grid's third dimension in work-items, for some problems of a batch.
struct GridDepth {
  std::size_t first;
  std::size_t count;
};

GridDepth all_of(const Launch& launch);

/// Whether a launch's grid has more work-groups than one enqueue takes, along a dimension in which kernels read their
/// group index.
bool is_split(const Launch& launch);

/// Enqueues a kernel after `waits`. A grid with more work-groups than the device takes is split into several enqueues
/// by global offsets, one after another. The returned event covers all of them; the events before the last are appended
/// to `parts`. If `needs_event` is false, a single enqueue makes no event.
Event enqueue_launch(cl_command_queue queue, const LaunchKernel& kernel, const Launch& launch, const GridDepth& depth,
                     std::span<const cl_event> waits, std::vector<cl::Event>& parts, bool needs_event = true);

/// Fills whole 4-byte words of a buffer with zeros after `waits`.
Event enqueue_zeros(cl_command_queue queue, cl_mem buffer, std::uint64_t offset, std::uint64_t bytes,
                    std::span<const cl_event> waits, bool needs_event = true);

/// Enqueues a command without effect after `waits`, for calls that have nothing to do.
Event enqueue_marker(cl_command_queue queue, std::span<const cl_event> waits);

}  // namespace tilewright::detail
