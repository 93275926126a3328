#include "faults/fault_shim.hpp"

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>

#include <cstdlib>
#include <mutex>

namespace tilewright::faults {
namespace {

struct Shim {
  std::mutex mutex;
  bool counting = false;
  bool fired = false;
  std::string function;
  unsigned n = 0;
  cl_int status = 0;
  std::map<std::string, unsigned> calls;
  std::map<std::string, long> live;
};

void arm_from_environment(Shim& shim) {
  const char* const variable = std::getenv("TILEWRIGHT_FAULT");
  if (variable == nullptr) return;
  const std::string text = variable;
  const auto first = text.find(':'), second = text.find(':', first + 1);
  if (second == std::string::npos) return;
  shim.function = text.substr(0, first);
  shim.n = static_cast<unsigned>(std::strtoul(text.c_str() + first + 1, nullptr, 10));
  shim.status = static_cast<cl_int>(std::strtol(text.c_str() + second + 1, nullptr, 10));
  shim.counting = true;
}

// Never destroyed: drivers call OpenCL while the process ends.
Shim& shim() {
  static Shim& instance = [&]() -> Shim& {
    static Shim& made = *new Shim;
    arm_from_environment(made);
    return made;
  }();
  return instance;
}

// What this call has to return instead of calling the driver; CL_SUCCESS where it is to be made.
cl_int injected(const char* function) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  if (!s.counting) return CL_SUCCESS;
  const unsigned call = ++s.calls[function];
  if (call != s.n || s.function != function) return CL_SUCCESS;
  s.fired = true;
  return s.status;
}

void count_live(const char* kind, long change) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.live[kind] += change;
}

}  // namespace

void arm(const std::string& function, unsigned n, cl_int status) {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.function = function;
  s.n = n;
  s.status = status;
  s.calls.clear();
  s.fired = false;
  s.counting = true;
}

bool disarm() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  s.counting = false;
  return s.fired;
}

std::map<std::string, unsigned> calls() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  return s.calls;
}

std::map<std::string, long> live_objects() {
  Shim& s = shim();
  const std::lock_guard lock(s.mutex);
  std::map<std::string, long> result;
  for (const auto& [kind, count] : s.live)
    if (count != 0) result.emplace(kind, count);
  return result;
}

}  // namespace tilewright::faults

using tilewright::faults::count_live;
using tilewright::faults::injected;

// The loader's function of this name.
#define REAL(name) static const auto real = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name))

// A function that returns a status.
#define STATUS_CALL(name, parameters, arguments)                                    \
  extern "C" cl_int CL_API_CALL name parameters {                                   \
    REAL(name);                                                                     \
    if (const cl_int status = injected(#name); status != CL_SUCCESS) return status; \
    return real arguments;                                                          \
  }

// One that also gives an event.
#define EVENT_CALL(name, parameters, arguments)                                     \
  extern "C" cl_int CL_API_CALL name parameters {                                   \
    REAL(name);                                                                     \
    if (const cl_int status = injected(#name); status != CL_SUCCESS) return status; \
    const cl_int status = real arguments;                                           \
    if (status == CL_SUCCESS && event != nullptr) count_live("event", 1);           \
    return status;                                                                  \
  }

// One that makes an object and gives its status through the pointer `error`.
#define CREATE_CALL(name, type, kind, parameters, arguments)           \
  extern "C" type CL_API_CALL name parameters {                        \
    REAL(name);                                                        \
    if (const cl_int status = injected(#name); status != CL_SUCCESS) { \
      if (error != nullptr) *error = status;                           \
      return nullptr;                                                  \
    }                                                                  \
    const type result = real arguments;                                \
    if (result != nullptr) count_live(kind, 1);                        \
    return result;                                                     \
  }

// To count references to a valid object does not fail; CLHPP's handles rely on it. A release is counted even if the
// driver finds fault with it: nobody tries one again.
#define REFERENCES(type, Type, kind)                           \
  extern "C" cl_int CL_API_CALL clRetain##Type(type object) {  \
    REAL(clRetain##Type);                                      \
    const cl_int status = real(object);                        \
    if (status == CL_SUCCESS) count_live(kind, 1);             \
    return status;                                             \
  }                                                            \
  extern "C" cl_int CL_API_CALL clRelease##Type(type object) { \
    REAL(clRelease##Type);                                     \
    count_live(kind, -1);                                      \
    return real(object);                                       \
  }

// NOLINTBEGIN(bugprone-macro-parentheses)
REFERENCES(cl_context, Context, "context")
REFERENCES(cl_command_queue, CommandQueue, "queue")
REFERENCES(cl_mem, MemObject, "memory")
REFERENCES(cl_program, Program, "program")
REFERENCES(cl_kernel, Kernel, "kernel")
REFERENCES(cl_event, Event, "event")
REFERENCES(cl_device_id, Device, "device")

STATUS_CALL(clGetPlatformIDs, (cl_uint size, cl_platform_id* ids, cl_uint* count), (size, ids, count))
STATUS_CALL(clGetPlatformInfo, (cl_platform_id id, cl_platform_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clGetDeviceIDs, (cl_platform_id id, cl_device_type type, cl_uint size, cl_device_id* ids, cl_uint* count),
            (id, type, size, ids, count))
STATUS_CALL(clGetDeviceInfo, (cl_device_id id, cl_device_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clGetContextInfo, (cl_context id, cl_context_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clGetCommandQueueInfo,
            (cl_command_queue id, cl_command_queue_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clGetMemObjectInfo, (cl_mem id, cl_mem_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clGetProgramInfo, (cl_program id, cl_program_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clGetProgramBuildInfo,
            (cl_program id, cl_device_id device, cl_program_build_info what, size_t size, void* value, size_t* used),
            (id, device, what, size, value, used))
STATUS_CALL(clGetKernelInfo, (cl_kernel id, cl_kernel_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clGetKernelWorkGroupInfo,
            (cl_kernel id, cl_device_id device, cl_kernel_work_group_info what, size_t size, void* value, size_t* used),
            (id, device, what, size, value, used))
STATUS_CALL(clGetEventInfo, (cl_event id, cl_event_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used))
STATUS_CALL(clBuildProgram,
            (cl_program id, cl_uint count, const cl_device_id* devices, const char* options,
             void(CL_CALLBACK* notify)(cl_program, void*), void* data),
            (id, count, devices, options, notify, data))
STATUS_CALL(clSetKernelArg, (cl_kernel id, cl_uint index, size_t size, const void* value), (id, index, size, value))
STATUS_CALL(clSetEventCallback,
            (cl_event id, cl_int when, void(CL_CALLBACK* notify)(cl_event, cl_int, void*), void* data),
            (id, when, notify, data))
STATUS_CALL(clFlush, (cl_command_queue queue), (queue))
STATUS_CALL(clWaitForEvents, (cl_uint count, const cl_event* events), (count, events))

EVENT_CALL(clEnqueueNDRangeKernel,
           (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset, const size_t* global,
            const size_t* local, cl_uint count, const cl_event* waits, cl_event* event),
           (queue, kernel, dimensions, offset, global, local, count, waits, event))
EVENT_CALL(clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event),
           (queue, count, waits, event))
EVENT_CALL(clEnqueueReadBuffer,
           (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void* to,
            cl_uint count, const cl_event* waits, cl_event* event),
           (queue, buffer, blocking, offset, size, to, count, waits, event))
EVENT_CALL(clEnqueueWriteBuffer,
           (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void* from,
            cl_uint count, const cl_event* waits, cl_event* event),
           (queue, buffer, blocking, offset, size, from, count, waits, event))
EVENT_CALL(clEnqueueCopyBuffer,
           (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
            cl_uint count, const cl_event* waits, cl_event* event),
           (queue, from, to, from_offset, to_offset, size, count, waits, event))

CREATE_CALL(clCreateContext, cl_context, "context",
            (const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
             void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data, cl_int* error),
            (properties, count, devices, notify, data, error))
CREATE_CALL(clCreateCommandQueue, cl_command_queue, "queue",
            (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int* error),
            (context, device, properties, error))
CREATE_CALL(clCreateBuffer, cl_mem, "memory",
            (cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error),
            (context, flags, size, host, error))
CREATE_CALL(clCreateImage, cl_mem, "memory",
            (cl_context context, cl_mem_flags flags, const cl_image_format* format, const cl_image_desc* description,
             void* host, cl_int* error),
            (context, flags, format, description, host, error))
CREATE_CALL(clCreateProgramWithSource, cl_program, "program",
            (cl_context context, cl_uint count, const char** strings, const size_t* lengths, cl_int* error),
            (context, count, strings, lengths, error))
CREATE_CALL(clCreateProgramWithBinary, cl_program, "program",
            (cl_context context, cl_uint count, const cl_device_id* devices, const size_t* lengths,
             const unsigned char** binaries, cl_int* statuses, cl_int* error),
            (context, count, devices, lengths, binaries, statuses, error))
CREATE_CALL(clCreateKernel, cl_kernel, "kernel", (cl_program program, const char* name, cl_int* error),
            (program, name, error))

extern "C" cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint size, cl_kernel* kernels,
                                                       cl_uint* count) {
  REAL(clCreateKernelsInProgram);
  if (const cl_int status = injected("clCreateKernelsInProgram"); status != CL_SUCCESS) return status;
  const cl_int status = real(program, size, kernels, count);
  if (status == CL_SUCCESS && kernels != nullptr) count_live("kernel", size);
  return status;
}
// NOLINTEND(bugprone-macro-parentheses)
