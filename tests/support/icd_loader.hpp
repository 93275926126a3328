#pragma once

#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::test {

/// Whether the OpenCL loader shows devices. For tests that hide every driver with OCL_ICD_VENDORS: some loaders, such
/// as that of the CUDA toolkit, ignore this variable, and then nothing can be tested. Asks OpenCL, not the library.
inline bool loader_shows_devices() {
  cl_uint platforms = 0;
  if (clGetPlatformIDs(0, nullptr, &platforms) != CL_SUCCESS || platforms == 0) return false;
  std::vector<cl_platform_id> ids(platforms);
  clGetPlatformIDs(platforms, ids.data(), nullptr);
  for (cl_platform_id id : ids) {
    cl_uint devices = 0;
    if (clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) == CL_SUCCESS && devices > 0) return true;
  }
  return false;
}

}  // namespace tilewright::test
