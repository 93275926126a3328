// CLHPP with owning handles, and the translation of its exceptions at the public interface.
#pragma once

#include <new>
#include <utility>

#include "runtime/device/opencl_bindings.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

/// Makes the library's error for a failed OpenCL call.
Error opencl_error(cl_int status, const char* call);

/// Throws Error if a call of OpenCL's C API failed.
inline void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) throw opencl_error(status, call);
}

/// Runs a function and converts CLHPP's exceptions and std::bad_alloc to the library's Error.
template <class Function>
decltype(auto) translated(Function&& function) {
  try {
    return std::forward<Function>(function)();
  } catch (const cl::Error& error) {
    throw opencl_error(error.err(), error.what());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the host ran out of memory");
  }
}

}  // namespace tilewright::detail
