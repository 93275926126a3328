#include "kernels/launch_kernel.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "runtime/device/driver_quirks.hpp"

namespace tilewright::detail {
namespace {

// 2^64 work-groups: see must_load_widest(). The number of work-items along a dimension stays below 2^64, because a
// group has at most 2^23 of them.
constexpr std::array<std::size_t, 3> widest_groups{std::size_t{1} << 40, std::size_t{1} << 12, std::size_t{1} << 12};

// Uses a separate queue, because the caller's may wait for anything. A launch must not wait for this by an event: PoCL
// crashes if another event that the launch waits for fails.
void load_widest(const cl::Context& context, const cl::Device& device, const cl::Kernel& kernel,
                 std::span<const std::size_t> local) {
  const cl::CommandQueue own(context, device);
  std::array<std::size_t, 3> items{1, 1, 1}, global = widest_groups;
  std::copy(local.begin(), local.end(), items.begin());
  for (std::size_t d = 0; d < 3; ++d) global[d] *= items[d];
  const cl_int status =
      clEnqueueNDRangeKernel(own(), kernel(), 3, nullptr, global.data(), items.data(), 0, nullptr, nullptr);
  // The real launch reports these errors in more detail.
  if (status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE) return;
  check(status, "clEnqueueNDRangeKernel");
  own.finish();
}

cl::Kernel named_kernel(const cl::Program& program, const char* name) {
  cl_int status = CL_SUCCESS;
  cl::Kernel kernel(clCreateKernel(program(), name, &status));
  if (status == CL_INVALID_KERNEL_NAME) {
    const Error plain = opencl_error(status, "clCreateKernel");
    throw Error(plain.code(), std::string(plain.what()) + ": the program has no kernel '" + name + '\'', status);
  }
  check(status, "clCreateKernel");
  return kernel;
}

}  // namespace

LaunchKernel::LaunchKernel(const cl::Program& program, const char* name) : kernel_(named_kernel(program, name)) {}

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
