// Makes every third kernel launch fail, as a device that runs out of resources does.
#include <dlfcn.h>

#include <atomic>

#include "tilewright/opencl.hpp"

extern "C" cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const std::size_t* offset, const std::size_t* global, const std::size_t* local,
                                         cl_uint waits, const cl_event* wait_list, cl_event* event) {
  static std::atomic<unsigned> launches = 0;
  if (++launches % 3 == 0) return CL_OUT_OF_RESOURCES;
  static auto* const real =
      reinterpret_cast<decltype(&clEnqueueNDRangeKernel)>(dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel"));
  return real(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}
