// An OpenCL library whose calls fail now and then, as those of a device that runs out of resources or is lost do.
//
// FAILING_CALL names the function that fails; without it none does. FAILING_EVERY is the distance of failures: 3 makes
// every third call fail. With FAILING_ALLOCATIONS, so many allocations of the thread fail after each failure, if the
// program can make them fail. FAILING_DEVICE changes what the device seems to be:
//   own_memory      platforms say that they are Oclgrind, which has its own memory
//   integrated      a GPU that shares the host's memory
//   copying         such a GPU, whose driver copies host memory to a buffer of its own, and back when it is mapped
//   copying_unaligned   such a GPU, whose driver does that unless memory begins and ends at a page
#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

#include "tilewright/opencl.hpp"

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Whether this call of a function fails.
bool fails(std::string_view function) {
  static const std::string_view failing = variable("FAILING_CALL");
  if (function != failing) return false;
  static const unsigned every = static_cast<unsigned>(std::atoi(variable("FAILING_EVERY").data()));
  static std::atomic<unsigned> calls = 0;
  if (every == 0 || ++calls % every != 0) return false;
  static const int allocations = std::atoi(variable("FAILING_ALLOCATIONS").data());
  static auto* const fail = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "fail_allocations"));
  if (fail != nullptr) fail(allocations);
  return true;
}

// Buffers that hold a copy of host memory.
class Copies {
 public:
  void add(cl_mem buffer, void* host) {
    const std::lock_guard lock(mutex_);
    hosts_[buffer] = static_cast<char*>(host);
  }
  void remove(cl_mem buffer) {
    const std::lock_guard lock(mutex_);
    hosts_.erase(buffer);
  }
  // The host memory that a buffer copied; null if it is no copy.
  char* host(cl_mem buffer) {
    const std::lock_guard lock(mutex_);
    const auto found = hosts_.find(buffer);
    return found == hosts_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<cl_mem, char*> hosts_;
};

Copies& copies() {
  static Copies& only = *new Copies;
  return only;
}

// Whether the driver copies memory that the program wants to share.
bool is_copied(const void* host, std::size_t bytes) {
  static const std::string_view device = variable("FAILING_DEVICE");
  constexpr std::size_t page = 4096;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(host) % page == 0 && bytes % page == 0;
  return device == "copying" || (device == "copying_unaligned" && !is_aligned);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const std::size_t* offset,
                              const std::size_t* global, const std::size_t* local, cl_uint waits,
                              const cl_event* wait_list, cl_event* event) {
  static auto* const next = real<decltype(clEnqueueNDRangeKernel)>(__func__);
  if (fails(__func__)) return CL_OUT_OF_RESOURCES;
  return next(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                           std::size_t size, void* target, cl_uint waits, const cl_event* wait_list, cl_event* event) {
  static auto* const next = real<decltype(clEnqueueReadBuffer)>(__func__);
  if (fails(__func__)) return CL_OUT_OF_RESOURCES;
  return next(queue, buffer, blocking, offset, size, target, waits, wait_list, event);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking, const std::size_t* origin,
                               const std::size_t* host_origin, const std::size_t* region, std::size_t row_pitch,
                               std::size_t slice_pitch, std::size_t host_row_pitch, std::size_t host_slice_pitch,
                               void* target, cl_uint waits, const cl_event* wait_list, cl_event* event) {
  static auto* const next = real<decltype(clEnqueueReadBufferRect)>(__func__);
  if (fails(__func__)) {
    // A half of what was wanted has arrived.
    const std::size_t half[3]{region[0], region[1] / 2, region[2]};
    if (half[1] > 0)
      next(queue, buffer, CL_TRUE, origin, host_origin, half, row_pitch, slice_pitch, host_row_pitch, host_slice_pitch,
           target, waits, wait_list, nullptr);
    return CL_OUT_OF_RESOURCES;
  }
  return next(queue, buffer, blocking, origin, host_origin, region, row_pitch, slice_pitch, host_row_pitch,
              host_slice_pitch, target, waits, wait_list, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, std::size_t offset,
                            std::size_t size, const void* source, cl_uint waits, const cl_event* wait_list,
                            cl_event* event) {
  static auto* const next = real<decltype(clEnqueueWriteBuffer)>(__func__);
  if (fails(__func__)) return CL_OUT_OF_RESOURCES;
  return next(queue, buffer, blocking, offset, size, source, waits, wait_list, event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking, const std::size_t* origin,
                                const std::size_t* host_origin, const std::size_t* region, std::size_t row_pitch,
                                std::size_t slice_pitch, std::size_t host_row_pitch, std::size_t host_slice_pitch,
                                const void* source, cl_uint waits, const cl_event* wait_list, cl_event* event) {
  static auto* const next = real<decltype(clEnqueueWriteBufferRect)>(__func__);
  if (fails(__func__)) return CL_OUT_OF_RESOURCES;
  return next(queue, buffer, blocking, origin, host_origin, region, row_pitch, slice_pitch, host_row_pitch,
              host_slice_pitch, source, waits, wait_list, event);
}

void* clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                         std::size_t offset, std::size_t size, cl_uint waits, const cl_event* wait_list,
                         cl_event* event, cl_int* status) {
  static auto* const next = real<decltype(clEnqueueMapBuffer)>(__func__);
  if (fails(__func__)) {
    if (status != nullptr) *status = CL_MAP_FAILURE;
    return nullptr;
  }
  if (char* const host = copies().host(buffer)) {
    static auto* const read = real<decltype(clEnqueueReadBuffer)>("clEnqueueReadBuffer");
    const cl_int outcome = read(queue, buffer, CL_TRUE, offset, size, host + offset, waits, wait_list, event);
    if (status != nullptr) *status = outcome;
    return outcome == CL_SUCCESS ? host + offset : nullptr;
  }
  return next(queue, buffer, blocking, flags, offset, size, waits, wait_list, event, status);
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void* mapped, cl_uint waits,
                               const cl_event* wait_list, cl_event* event) {
  static auto* const next = real<decltype(clEnqueueUnmapMemObject)>(__func__);
  static auto* const mark = real<decltype(clEnqueueMarkerWithWaitList)>("clEnqueueMarkerWithWaitList");
  return copies().host(buffer) != nullptr ? mark(queue, waits, wait_list, event)
                                          : next(queue, buffer, mapped, waits, wait_list, event);
}

cl_int clReleaseMemObject(cl_mem buffer) {
  static auto* const next = real<decltype(clReleaseMemObject)>(__func__);
  copies().remove(buffer);  // the BLAS library holds one reference
  return next(buffer);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, std::size_t size, void* value, std::size_t* needed) {
  static auto* const next = real<decltype(clGetDeviceInfo)>(__func__);
  static const std::string_view kind = variable("FAILING_DEVICE");
  const cl_int status = next(device, what, size, value, needed);
  const bool is_changed = kind == "integrated" || kind.starts_with("copying");
  if (is_changed && status == CL_SUCCESS && value != nullptr && what == CL_DEVICE_TYPE)
    *static_cast<cl_device_type*>(value) = CL_DEVICE_TYPE_GPU;
  return status;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host, cl_int* status) {
  static auto* const next = real<decltype(clCreateBuffer)>(__func__);
  if (fails(__func__)) {
    if (status != nullptr) *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  if ((flags & CL_MEM_USE_HOST_PTR) == 0 || !is_copied(host, size)) return next(context, flags, size, host, status);
  constexpr cl_mem_flags copy = CL_MEM_COPY_HOST_PTR, use = CL_MEM_USE_HOST_PTR;
  const cl_mem buffer = next(context, (flags & ~use) | copy, size, host, status);
  if (buffer != nullptr) copies().add(buffer, host);
  return buffer;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, std::size_t size, void* value,
                         std::size_t* needed) {
  static auto* const next = real<decltype(clGetPlatformInfo)>(__func__);
  static const bool has_own_memory = variable("FAILING_DEVICE") == "own_memory";
  constexpr std::string_view name{"Oclgrind\0", 9};
  if (!has_own_memory || what != CL_PLATFORM_NAME) return next(platform, what, size, value, needed);
  if (needed != nullptr) *needed = name.size();
  if (value == nullptr) return CL_SUCCESS;
  if (size < name.size()) return CL_INVALID_VALUE;
  std::memcpy(value, name.data(), name.size());
  return CL_SUCCESS;
}
}
