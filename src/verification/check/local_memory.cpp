#include "verification/check/local_memory.hpp"

#include <map>
#include <mutex>

namespace tilewright::verification {
namespace {

constexpr std::uint64_t slack = 512;  // bytes; for alignment of arrays, up to 128 bytes each

std::uint64_t reported_bytes(const cl::Kernel& kernel, const cl::Device& device) {
  return kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device);
}

// Returns true if the driver reports the local memory of kernels. Some report 0 for every kernel, so this tests a
// kernel of known size.
bool driver_reports_bytes(const cl::Kernel& kernel, const cl::Device& device) {
  static std::mutex mutex;
  static std::map<cl_device_id, bool> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(device()); found != known.end()) return found->second;
  const cl::Program program(kernel.getInfo<CL_KERNEL_CONTEXT>(),
                            "__kernel void probe(__global int* x) {"
                            "  __local int shared[64];"
                            "  shared[get_local_id(0) % 64] = x[get_local_id(0)];"
                            "  barrier(CLK_LOCAL_MEM_FENCE);"
                            "  x[get_local_id(0)] = shared[63 - get_local_id(0) % 64];"
                            "}");
  program.build();
  const bool reports = reported_bytes(cl::Kernel(program, "probe"), device) >= 64 * sizeof(cl_int);
  return known[device()] = reports;
}

}  // namespace

std::string local_memory_difference(const cl::Kernel& kernel, const cl::Device& device, std::uint64_t expected) {
  const std::uint64_t reported = reported_bytes(kernel, device);
  if (reported <= expected + slack && expected <= reported + slack) return {};
  if (!driver_reports_bytes(kernel, device)) return {};
  return "a work-group of kernel '" + kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() + "' uses " + std::to_string(reported) +
         " bytes of local memory, but the variant's local_bytes() is " + std::to_string(expected);
}

}  // namespace tilewright::verification
