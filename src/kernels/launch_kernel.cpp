#include "kernels/launch_kernel.hpp"

#include <algorithm>
#include <array>

#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail {
namespace {

// 2^64 work-groups: see must_load_widest(). Work-items along a dimension are fewer than 2^64, for a group has at most
// 2^23 of them.
constexpr std::array<std::size_t, 3> widest_groups{std::size_t{1} << 40, std::size_t{1} << 12, std::size_t{1} << 12};

// On a queue of its own, since the caller's may wait for anything. A launch that waited for this by an event, beside
// others, would crash PoCL where one of those fails.
void load_widest(const cl::Context& context, const cl::Device& device, const cl::Kernel& kernel,
                 std::span<const std::size_t> local) {
  const cl::CommandQueue own(context, device);
  std::array<std::size_t, 3> items{1, 1, 1}, global = widest_groups;
  std::copy(local.begin(), local.end(), items.begin());
  for (std::size_t d = 0; d < 3; ++d) global[d] *= items[d];
  const cl_int status =
      clEnqueueNDRangeKernel(own(), kernel(), 3, nullptr, global.data(), items.data(), 0, nullptr, nullptr);
  // The launch itself tells more of these.
  if (status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE) return;
  check(status, "clEnqueueNDRangeKernel");
  own.finish();
}

}  // namespace

void LaunchKernel::load(cl_command_queue queue, std::span<const std::size_t> local) const {
  if (is_loaded_) return;
  translated([&] {
    const cl::CommandQueue callers(queue, true);
    const auto device = callers.getInfo<CL_QUEUE_DEVICE>();
    if (must_load_widest(device)) load_widest(callers.getInfo<CL_QUEUE_CONTEXT>(), device, kernel_, local);
  });
  is_loaded_ = true;
}

}  // namespace tilewright::detail
