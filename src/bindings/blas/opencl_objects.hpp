// Owners of OpenCL objects, and errors of OpenCL calls.
#pragma once

#include <memory>
#include <type_traits>

#include "tilewright/engine.hpp"
#include "tilewright/error.hpp"

namespace tilewright::blas {

struct ReleaseMemory {
  void operator()(cl_mem memory) const noexcept { clReleaseMemObject(memory); }
};
struct ReleaseQueue {
  void operator()(cl_command_queue queue) const noexcept { clReleaseCommandQueue(queue); }
};
using Memory = std::unique_ptr<std::remove_pointer_t<cl_mem>, ReleaseMemory>;
using Queue = std::unique_ptr<std::remove_pointer_t<cl_command_queue>, ReleaseQueue>;

/// Throws Error if an OpenCL call failed.
inline void check(cl_int status, const char* function) {
  if (status == CL_SUCCESS) return;
  const bool is_memory = status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_HOST_MEMORY ||
                         status == CL_OUT_OF_RESOURCES || status == CL_INVALID_BUFFER_SIZE;
  const ErrorCode code = status == CL_DEVICE_NOT_AVAILABLE ? ErrorCode::device_lost
                         : is_memory                       ? ErrorCode::out_of_memory
                                                           : ErrorCode::opencl_failure;
  throw Error(code, std::string(function) + " failed: " + opencl_status_name(status), status);
}

inline Memory make_buffer(const Engine& engine, std::size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE,
                          void* host = nullptr) {
  cl_int status = CL_SUCCESS;
  Memory memory(clCreateBuffer(engine.context(), flags, bytes, host, &status));
  check(status, "clCreateBuffer");
  return memory;
}

inline Queue make_queue(const Engine& engine) {
  cl_int status = CL_SUCCESS;
  Queue queue(clCreateCommandQueue(engine.context(), engine.device(), 0, &status));
  check(status, "clCreateCommandQueue");
  return queue;
}

}  // namespace tilewright::blas
