// The shim's versions of OpenCL's functions.
#include <CL/cl.h>
#include <dlfcn.h>

#include <vector>

#include "faults/fault_state.hpp"
#include "faults/memory_meter.hpp"
#include "tilewright/event.hpp"

using namespace tilewright::faults;

namespace {

template <class Function>
Function loaders(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// The loader's function of this name.
#define REAL(name) static const auto real = loaders(&name, #name)

// The context of an object, found without a counted call.
#define CONTEXT_OF(type, function, what)                                                             \
  cl_context context_of(type object) {                                                               \
    REAL(function);                                                                                  \
    cl_context context = nullptr;                                                                    \
    return real(object, what, sizeof(context), &context, nullptr) == CL_SUCCESS ? context : nullptr; \
  }
CONTEXT_OF(cl_command_queue, clGetCommandQueueInfo, CL_QUEUE_CONTEXT)
CONTEXT_OF(cl_mem, clGetMemObjectInfo, CL_MEM_CONTEXT)
CONTEXT_OF(cl_program, clGetProgramInfo, CL_PROGRAM_CONTEXT)
CONTEXT_OF(cl_kernel, clGetKernelInfo, CL_KERNEL_CONTEXT)
CONTEXT_OF(cl_event, clGetEventInfo, CL_EVENT_CONTEXT)
cl_context context_of(cl_context context) { return context; }
// Platforms and devices belong to no context.
template <class T>
cl_context context_of(const T&) {
  return nullptr;
}

}  // namespace

// A function that returns a status.
#define STATUS_CALL(name, parameters, arguments, object)                                                 \
  extern "C" cl_int CL_API_CALL name parameters {                                                        \
    REAL(name);                                                                                          \
    if (const cl_int status = injected(#name, [&] { return context_of(object); }); status != CL_SUCCESS) \
      return status;                                                                                     \
    return real arguments;                                                                               \
  }

namespace {

// Adds an event to the wait list of a held command.
void hold(cl_command_queue queue, cl_uint& count, const cl_event*& waits, std::vector<cl_event>& with_gate) {
  const cl_event gate = clCreateUserEvent(context_of(queue), nullptr);
  with_gate.assign(waits, waits + count);
  with_gate.push_back(gate);
  count = static_cast<cl_uint>(with_gate.size());
  waits = with_gate.data();
  note_gate(gate);
}

// Enqueues a command, or a marker that fails instead of it. `enqueue` uses `count` and `waits` as this leaves them.
template <class Enqueue>
cl_int enqueued(const char* function, cl_command_queue queue, bool blocking, cl_uint& count, const cl_event*& waits,
                cl_event* event, const Enqueue& enqueue) {
  static const auto mark = loaders(&clEnqueueMarkerWithWaitList, "clEnqueueMarkerWithWaitList");
  static const auto release = loaders(&clReleaseEvent, "clReleaseEvent");
  if (const cl_int status = injected(function, [&] { return context_of(queue); }); status != CL_SUCCESS) return status;
  const bool fails = fails_by_event(queue, count, waits);
  if (fails && blocking) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  std::vector<cl_event> with_gate;
  if (is_to_be_held()) hold(queue, count, waits, with_gate);
  cl_event made = nullptr;
  const cl_int status = fails ? mark(queue, 0, nullptr, &made) : enqueue(event != nullptr ? &made : nullptr);
  if (status != CL_SUCCESS || made == nullptr) return status;
  note_event(made, fails);
  if (event == nullptr) {
    release(made);
  } else {
    *event = made;
    count_live("event", 1);
  }
  return status;
}

}  // namespace

// A function that enqueues a command, whose arguments end with the event.
#define EVENT_CALL(name, blocking, parameters, ...)                                  \
  extern "C" cl_int CL_API_CALL name parameters {                                    \
    REAL(name);                                                                      \
    return enqueued(#name, queue, (blocking) != CL_FALSE, count, waits, event,       \
                    [&](cl_event* made) { return real(queue, __VA_ARGS__, made); }); \
  }

namespace {

void note_made(cl_command_queue queue) { note_queue(queue); }
void note_made(cl_mem memory) { note_memory_made(memory); }
template <class T>
void note_made(const T&) {}

void note_released(cl_mem memory) { note_memory_released(memory); }
template <class T>
void note_released(const T&) {}

}  // namespace

// A function that makes an object and stores its status in `*error`.
#define CREATE_CALL(name, type, kind, parameters, arguments, object)                                       \
  extern "C" type CL_API_CALL name parameters {                                                            \
    REAL(name);                                                                                            \
    if (const cl_int status = injected(#name, [&] { return context_of(object); }); status != CL_SUCCESS) { \
      if (error != nullptr) *error = status;                                                               \
      return nullptr;                                                                                      \
    }                                                                                                      \
    const type result = real arguments;                                                                    \
    if (result != nullptr) count_live(kind, 1);                                                            \
    note_made(result);                                                                                     \
                                                                                                           \
    return result;                                                                                         \
  }

// Counting references to a valid object does not fail; CLHPP's handles rely on it. A release is counted even if the
// driver rejects it, because no caller retries.
#define REFERENCES(type, Type, kind)                           \
  extern "C" cl_int CL_API_CALL clRetain##Type(type object) {  \
    REAL(clRetain##Type);                                      \
    const cl_int status = real(object);                        \
    if (status == CL_SUCCESS) count_live(kind, 1);             \
    return status;                                             \
  }                                                            \
  extern "C" cl_int CL_API_CALL clRelease##Type(type object) { \
    REAL(clRelease##Type);                                     \
    note_released(object);                                     \
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

STATUS_CALL(clGetPlatformIDs, (cl_uint size, cl_platform_id* ids, cl_uint* count), (size, ids, count), size)
STATUS_CALL(clGetPlatformInfo, (cl_platform_id id, cl_platform_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used), id)
STATUS_CALL(clGetDeviceIDs, (cl_platform_id id, cl_device_type type, cl_uint size, cl_device_id* ids, cl_uint* count),
            (id, type, size, ids, count), id)

extern "C" cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void* value,
                                              size_t* used) {
  REAL(clGetDeviceInfo);
  if (const cl_int status = injected("clGetDeviceInfo", [] { return nullptr; }); status != CL_SUCCESS) return status;
  const cl_int status = real(id, what, size, value, used);
  if (status != CL_SUCCESS || value == nullptr) return status;
  const auto pretend = [&](cl_ulong bytes) {
    if (bytes != 0) *static_cast<cl_ulong*>(value) = bytes;
  };
  if (what == CL_DEVICE_GLOBAL_MEM_SIZE) pretend(pretended_memory());
  if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE) pretend(pretended_allocation());
  return status;
}

STATUS_CALL(clGetContextInfo, (cl_context id, cl_context_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used), id)
STATUS_CALL(clGetCommandQueueInfo,
            (cl_command_queue id, cl_command_queue_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used), id)
STATUS_CALL(clGetMemObjectInfo, (cl_mem id, cl_mem_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used), id)
STATUS_CALL(clGetProgramInfo, (cl_program id, cl_program_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used), id)
STATUS_CALL(clGetProgramBuildInfo,
            (cl_program id, cl_device_id device, cl_program_build_info what, size_t size, void* value, size_t* used),
            (id, device, what, size, value, used), id)
STATUS_CALL(clGetKernelInfo, (cl_kernel id, cl_kernel_info what, size_t size, void* value, size_t* used),
            (id, what, size, value, used), id)
STATUS_CALL(clGetKernelWorkGroupInfo,
            (cl_kernel id, cl_device_id device, cl_kernel_work_group_info what, size_t size, void* value, size_t* used),
            (id, device, what, size, value, used), id)
STATUS_CALL(clBuildProgram,
            (cl_program id, cl_uint count, const cl_device_id* devices, const char* options,
             void(CL_CALLBACK* notify)(cl_program, void*), void* data),
            (id, count, devices, options, notify, data), id)
STATUS_CALL(clSetKernelArg, (cl_kernel id, cl_uint index, size_t size, const void* value), (id, index, size, value), id)
STATUS_CALL(clSetEventCallback,
            (cl_event id, cl_int when, void(CL_CALLBACK* notify)(cl_event, cl_int, void*), void* data),
            (id, when, notify, data), id)
STATUS_CALL(clFlush, (cl_command_queue queue), (queue), queue)

EVENT_CALL(clEnqueueNDRangeKernel, CL_FALSE,
           (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset, const size_t* global,
            const size_t* local, cl_uint count, const cl_event* waits, cl_event* event),
           kernel, dimensions, offset, global, local, count, waits)
EVENT_CALL(clEnqueueMarkerWithWaitList, CL_FALSE,
           (cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event), count, waits)
EVENT_CALL(clEnqueueReadBuffer, blocking,
           (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void* to,
            cl_uint count, const cl_event* waits, cl_event* event),
           buffer, blocking, offset, size, to, count, waits)
EVENT_CALL(clEnqueueWriteBuffer, blocking,
           (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void* from,
            cl_uint count, const cl_event* waits, cl_event* event),
           buffer, blocking, offset, size, from, count, waits)
EVENT_CALL(clEnqueueReadBufferRect, blocking,
           (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t* begin, const size_t* host_begin,
            const size_t* region, size_t row, size_t slice, size_t host_row, size_t host_slice, void* to, cl_uint count,
            const cl_event* waits, cl_event* event),
           buffer, blocking, begin, host_begin, region, row, slice, host_row, host_slice, to, count, waits)
EVENT_CALL(clEnqueueWriteBufferRect, blocking,
           (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t* begin, const size_t* host_begin,
            const size_t* region, size_t row, size_t slice, size_t host_row, size_t host_slice, const void* from,
            cl_uint count, const cl_event* waits, cl_event* event),
           buffer, blocking, begin, host_begin, region, row, slice, host_row, host_slice, from, count, waits)
EVENT_CALL(clEnqueueCopyBuffer, CL_FALSE,
           (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
            cl_uint count, const cl_event* waits, cl_event* event),
           from, to, from_offset, to_offset, size, count, waits)
EVENT_CALL(clEnqueueFillBuffer, CL_FALSE,
           (cl_command_queue queue, cl_mem buffer, const void* pattern, size_t pattern_size, size_t offset, size_t size,
            cl_uint count, const cl_event* waits, cl_event* event),
           buffer, pattern, pattern_size, offset, size, count, waits)
EVENT_CALL(clEnqueueUnmapMemObject, CL_FALSE,
           (cl_command_queue queue, cl_mem buffer, void* mapped, cl_uint count, const cl_event* waits, cl_event* event),
           buffer, mapped, count, waits)

// A mapping is made even if its event fails, because the caller gets its address.
extern "C" void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                const cl_event* waits, cl_event* event, cl_int* error) {
  REAL(clEnqueueMapBuffer);
  cl_int status = injected("clEnqueueMapBuffer", [&] { return context_of(queue); });
  const bool fails = status == CL_SUCCESS && fails_by_event(queue, count, waits);
  if (fails && blocking != CL_FALSE) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (status != CL_SUCCESS) {
    if (error != nullptr) *error = status;
    return nullptr;
  }
  void* const mapped = real(queue, buffer, blocking, flags, offset, size, count, waits, event, error);
  if (mapped != nullptr && event != nullptr) {
    note_event(*event, fails);
    count_live("event", 1);
  }
  return mapped;
}

// A failing event reports its status when its command would have ended.
extern "C" cl_int CL_API_CALL clGetEventInfo(cl_event id, cl_event_info what, size_t size, void* value, size_t* used) {
  REAL(clGetEventInfo);
  if (const cl_int status = injected("clGetEventInfo", [&] { return context_of(id); }); status != CL_SUCCESS)
    return status;
  const cl_int status = real(id, what, size, value, used);
  if (status != CL_SUCCESS || what != CL_EVENT_COMMAND_EXECUTION_STATUS || value == nullptr) return status;
  cl_int& state = *static_cast<cl_int*>(value);
  if (const cl_int failed = failed_status(id); failed != CL_SUCCESS && state == CL_COMPLETE) state = failed;
  return status;
}

// A lost device runs nothing more, but the real device does.
extern "C" cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  REAL(clFinish);
  const cl_int status = injected("clFinish", [&] { return context_of(queue); });
  if (status != CL_SUCCESS && !is_lost()) return status;
  const cl_int of_driver = real(queue);
  return status != CL_SUCCESS ? status : of_driver;
}

extern "C" cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event* events) {
  REAL(clWaitForEvents);
  if (const cl_int status = injected("clWaitForEvents", [&] { return context_of(events[0]); }); status != CL_SUCCESS)
    return status;
  const cl_int status = real(count, events);
  for (cl_uint i = 0; i < count; ++i)
    if (failed_status(events[i]) != CL_SUCCESS) return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return status;
}

CREATE_CALL(clCreateContext, cl_context, "context",
            (const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
             void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data, cl_int* error),
            (properties, count, devices, notify, data, error), properties)
CREATE_CALL(clCreateCommandQueue, cl_command_queue, "queue",
            (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int* error),
            (context, device, properties, error), context)
CREATE_CALL(clCreateBuffer, cl_mem, "memory",
            (cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error),
            (context, flags, size, host, error), context)
CREATE_CALL(clCreateImage, cl_mem, "memory",
            (cl_context context, cl_mem_flags flags, const cl_image_format* format, const cl_image_desc* description,
             void* host, cl_int* error),
            (context, flags, format, description, host, error), context)
CREATE_CALL(clCreateProgramWithSource, cl_program, "program",
            (cl_context context, cl_uint count, const char** strings, const size_t* lengths, cl_int* error),
            (context, count, strings, lengths, error), context)
CREATE_CALL(clCreateProgramWithBinary, cl_program, "program",
            (cl_context context, cl_uint count, const cl_device_id* devices, const size_t* lengths,
             const unsigned char** binaries, cl_int* statuses, cl_int* error),
            (context, count, devices, lengths, binaries, statuses, error), context)
CREATE_CALL(clCreateKernel, cl_kernel, "kernel", (cl_program program, const char* name, cl_int* error),
            (program, name, error), program)

extern "C" cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint size, cl_kernel* kernels,
                                                       cl_uint* count) {
  REAL(clCreateKernelsInProgram);
  if (const cl_int status = injected("clCreateKernelsInProgram", [&] { return context_of(program); });
      status != CL_SUCCESS)
    return status;
  const cl_int status = real(program, size, kernels, count);
  if (status == CL_SUCCESS && kernels != nullptr) count_live("kernel", size);
  return status;
}
// NOLINTEND(bugprone-macro-parentheses)
