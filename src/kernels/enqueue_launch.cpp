#include "kernels/enqueue_launch.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tilewright::detail {
namespace {

// The number of work-items along a dimension that one enqueue may have: all of them, or whole work-groups.
std::size_t items_at_once(const Launch& launch, std::size_t dimension) {
  const std::size_t most = std::max<std::size_t>(1, launch.max_groups[dimension]);
  const std::size_t all = launch.global[dimension], local = launch.local[dimension];
  return all / local <= most ? all : most * local;
}

std::string by_dimensions(std::span<const std::size_t> sizes) {
  std::string text;
  for (const std::size_t size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

// Describes a failed launch: OpenCL only reports that the work-groups are wrong. Names the sizes and, as far as the
// driver reports them, the kernel's demands. Called only after a failure.
Error work_group_error(cl_int status, const cl::Kernel& kernel, const Launch& launch,
                       std::span<const std::size_t> global, cl_device_id device) {
  const Error plain = opencl_error(status, "clEnqueueNDRangeKernel");
  std::string text = std::string(plain.what()) + ": kernel '" + launch.kernel + "' was launched with " +
                     by_dimensions(global) + " work-items in work-groups of " + by_dimensions(launch.local);
  std::array<std::size_t, 3> demanded{};
  if (clGetKernelWorkGroupInfo(kernel(), device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof demanded, demanded.data(),
                               nullptr) == CL_SUCCESS &&
      demanded[0] != 0)
    text += "; its reqd_work_group_size is " + by_dimensions(demanded);
  std::size_t most = 0;
  if (clGetKernelWorkGroupInfo(kernel(), device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr) == CL_SUCCESS)
    text += "; the device runs it with up to " + std::to_string(most) + " work-items in a work-group";
  return {plain.code(), text, status};
}

cl_device_id device_of(cl_command_queue queue) {
  cl_device_id device = nullptr;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  return device;
}

}  // namespace

GridDepth all_of(const Launch& launch) { return {0, launch.global.size() < 3 ? 1 : launch.global[2]}; }

bool is_split(const Launch& launch) {
  for (std::size_t d = 0; d < std::min<std::size_t>(2, launch.global.size()); ++d)
    if (items_at_once(launch, d) < launch.global[d]) return true;
  return false;
}

Event enqueue_launch(cl_command_queue queue, const LaunchKernel& kernel, const Launch& launch, const GridDepth& depth,
                     std::span<const cl_event> waits, std::vector<cl::Event>& parts, bool needs_event) {
  const auto dimensions = static_cast<cl_uint>(launch.global.size());
  const auto enqueue = [&](const std::size_t* offset, const std::size_t* global, std::span<const cl_event> after,
                           bool wants_event = true) {
    cl_event event = nullptr;
    const cl_int status = clEnqueueNDRangeKernel(
        queue, kernel(), dimensions, offset, global, launch.local.data(), static_cast<cl_uint>(after.size()),
        after.empty() ? nullptr : after.data(), wants_event ? &event : nullptr);
    if (status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE)
      throw work_group_error(status, kernel.get(), launch, {global, dimensions}, device_of(queue));
    check(status, "clEnqueueNDRangeKernel");
    return Event(event);
  };
  kernel.load(queue, launch.local);
  std::array<std::size_t, 3> end{1, 1, depth.first + depth.count}, step{1, 1, depth.count}, offset{}, global{};
  bool whole = dimensions < 3 || depth.count == launch.global[2];
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (d < 2) end[d] = launch.global[d];
    step[d] = items_at_once(launch, d);
    whole = whole && step[d] == launch.global[d];
  }
  if (whole) return enqueue(nullptr, launch.global.data(), waits, needs_event);

  Event last;
  for (offset[2] = depth.first; offset[2] < end[2]; offset[2] += step[2])
    for (offset[1] = 0; offset[1] < end[1]; offset[1] += step[1])
      for (offset[0] = 0; offset[0] < end[0]; offset[0] += step[0]) {
        for (std::size_t d = 0; d < 3; ++d) global[d] = std::min(step[d], end[d] - offset[d]);
        const bool is_first = last.get() == nullptr;
        const cl_event before = is_first ? nullptr : parts.emplace_back(last.release())();
        last = enqueue(offset.data(), global.data(), is_first ? waits : std::span(&before, 1));
      }
  return last;
}

Event enqueue_zeros(cl_command_queue queue, cl_mem buffer, std::uint64_t offset, std::uint64_t bytes,
                    std::span<const cl_event> waits, bool needs_event) {
  constexpr cl_uint zero = 0;
  cl_event event = nullptr;
  check(clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, offset, bytes, static_cast<cl_uint>(waits.size()),
                            waits.empty() ? nullptr : waits.data(), needs_event ? &event : nullptr),
        "clEnqueueFillBuffer");
  return Event(event);
}

Event enqueue_marker(cl_command_queue queue, std::span<const cl_event> waits) {
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                                    &event),
        "clEnqueueMarkerWithWaitList");
  return Event(event);
}

}  // namespace tilewright::detail
