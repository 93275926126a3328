// An OpenCL library with one H100 that can be described and nothing else; stub.cpp has the other functions.
#include <CL/cl.h>

#include <cstring>
#include <string>

namespace {

int platform = 0, device = 0;  // whose addresses are the handles

cl_int answer(const void* data, size_t bytes, size_t room, void* value, size_t* needed) {
  if (needed != nullptr) *needed = bytes;
  if (value == nullptr) return CL_SUCCESS;
  if (room < bytes) return CL_INVALID_VALUE;
  std::memcpy(value, data, bytes);
  return CL_SUCCESS;
}

struct Answer {
  size_t room;
  void* value;
  size_t* needed;

  cl_int text(const std::string& text) const { return answer(text.c_str(), text.size() + 1, room, value, needed); }
  // A number of the type that the caller has room for.
  cl_int number(cl_ulong number) const { return answer(&number, room, room, value, needed); }
};

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (platforms != nullptr && room > 0) *platforms = reinterpret_cast<cl_platform_id>(&platform);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id, cl_platform_info what, size_t room, void* value,
                                                  size_t* needed) {
  return Answer{room, value, needed}.text(what == CL_PLATFORM_NAME ? "NVIDIA CUDA" : "OpenCL 3.0 CUDA");
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint room, cl_device_id* devices,
                                               cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (devices != nullptr && room > 0) *devices = reinterpret_cast<cl_device_id>(&device);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id, cl_device_info what, size_t room, void* value,
                                                size_t* needed) {
  const Answer as{room, value, needed};
  switch (what) {
    case CL_DEVICE_PLATFORM: {
      const void* const handle = &platform;
      return answer(&handle, sizeof handle, room, value, needed);
    }
    case CL_DEVICE_NAME:
      return as.text("described H100");
    case CL_DEVICE_VENDOR:
      return as.text("NVIDIA Corporation");
    case CL_DEVICE_VERSION:
      return as.text("OpenCL 3.0 CUDA");
    case CL_DEVICE_OPENCL_C_VERSION:
      return as.text("OpenCL C 1.2");
    case CL_DRIVER_VERSION:
      return as.text("1.0");
    case CL_DEVICE_EXTENSIONS:
      return as.text("cl_khr_fp64 cl_nv_device_attribute_query");
    case CL_DEVICE_TYPE:
      return as.number(CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return as.number(132);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return as.number(1980);
    case CL_DEVICE_ADDRESS_BITS:
      return as.number(64);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return as.number(cl_ulong{80} << 30);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return as.number(cl_ulong{20} << 30);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
      return as.number(128);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return as.number(48 << 10);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return as.number(CL_LOCAL);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return as.number(1024);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return as.number(3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
      const size_t sizes[] = {1024, 1024, 64};
      return answer(sizes, sizeof sizes, room, value, needed);
    }
    case 0x4000:  // the compute capability, whose names CL/cl.h lacks
      return as.number(9);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
    case CL_DEVICE_IMAGE_SUPPORT:
    case 0x4001:
      return as.number(0);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
      return as.number(1);
    default:
      return CL_INVALID_VALUE;
  }
}

}  // extern "C"
