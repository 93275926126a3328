// CLHPP as the library uses it: owning handles, and exceptions that are translated at the public border.
#pragma once

#include <new>
#include <utility>

#include "runtime/device/opencl_bindings.hpp"
#include "tilewright/error.hpp"

namespace tilewright::detail {

/// The library's error for a failed OpenCL call.
Error opencl_error(cl_int status, const char* call);

/// Throws where an OpenCL call of the C API failed.
inline void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) throw opencl_error(status, call);
}

/// Runs a function and turns CLHPP's exceptions, and a lack of host memory, into the library's.
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
