// An OpenCL driver with one platform and no device, like a GPU driver on a machine without a GPU. Tests point the ICD
// loader at it. TILEWRIGHT_TEST_DRIVER_STATUS: the status of a query for devices; default: no device found.
#include <CL/cl_icd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

cl_int CL_API_CALL platform_info(cl_platform_id, cl_platform_info name, size_t size, void* value, size_t* needed) {
  std::string text;
  switch (name) {
    case CL_PLATFORM_PROFILE:
      text = "FULL_PROFILE";
      break;
    case CL_PLATFORM_VERSION:
      text = "OpenCL 1.2";
      break;
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
      text = "No devices";
      break;
    case CL_PLATFORM_EXTENSIONS:
      text = "cl_khr_icd";
      break;
    case CL_PLATFORM_ICD_SUFFIX_KHR:
      text = "NONE";
      break;
    default:
      return CL_INVALID_VALUE;
  }
  const size_t bytes = text.size() + 1;
  if (value != nullptr && size < bytes) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, text.c_str(), bytes);
  if (needed != nullptr) *needed = bytes;
  return CL_SUCCESS;
}

cl_int CL_API_CALL device_ids(cl_platform_id, cl_device_type, cl_uint, cl_device_id*, cl_uint* count) {
  if (count != nullptr) *count = 0;
  const char* const status = std::getenv("TILEWRIGHT_TEST_DRIVER_STATUS");
  return status != nullptr ? std::atoi(status) : CL_DEVICE_NOT_FOUND;
}

cl_icd_dispatch make_table() {
  cl_icd_dispatch table{};
  table.clGetPlatformInfo = platform_info;
  table.clGetDeviceIDs = device_ids;
  return table;
}

cl_icd_dispatch dispatch = make_table();

}  // namespace

// The ICD loader finds a driver's functions through the first member.
struct _cl_platform_id {
  cl_icd_dispatch* table;
};

namespace {

_cl_platform_id platform{&dispatch};

cl_int CL_API_CALL platform_ids(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (platforms != nullptr && room > 0) *platforms = &platform;
  return CL_SUCCESS;
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

extern "C" {

CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  if (std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return address_of(platform_ids);
  if (std::strcmp(name, "clGetPlatformInfo") == 0) return address_of(platform_info);
  return nullptr;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id which, cl_platform_info name, size_t size, void* value,
                                                  size_t* needed) {
  return platform_info(which, name, size, value, needed);
}

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms, cl_uint* count) {
  return platform_ids(room, platforms, count);
}

}  // extern "C"
