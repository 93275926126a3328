#include "verification/check/local_memory.hpp"

#include <map>
#include <mutex>

namespace tilewright::verification {
namespace {

constexpr std::uint64_t slack = 512;  // for the alignment of arrays, up to 128 bytes each

std::uint64_t told_by_driver(const cl::Kernel& kernel, const cl::Device& device) {
  return kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device);
}

// Some drivers answer 0 for every kernel: a kernel of known size shows it.
bool driver_tells(const cl::Kernel& kernel, const cl::Device& device) {
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
  const bool tells = told_by_driver(cl::Kernel(program, "probe"), device) >= 64 * sizeof(cl_int);
  return known[device()] = tells;
}

}  // namespace

std::string local_memory_difference(const cl::Kernel& kernel, const cl::Device& device, std::uint64_t expected) {
  const std::uint64_t told = told_by_driver(kernel, device);
  if (told <= expected + slack && expected <= told + slack) return {};
  if (!driver_tells(kernel, device)) return {};
  return "a work-group of kernel '" + kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() + "' takes " + std::to_string(told) +
         " bytes of local memory, and the variant's local_bytes says " + std::to_string(expected);
}

}  // namespace tilewright::verification
