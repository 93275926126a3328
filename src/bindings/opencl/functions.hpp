// The OpenCL functions that the library calls, found at run time.
#pragma once

#include <CL/cl.h>

#include <string_view>

/// All OpenCL functions that the library calls. A function that is missing here does not link.
#define TILEWRIGHT_OPENCL_FUNCTIONS(function)                                                                          \
  function(clBuildProgram) function(clCreateBuffer) function(clCreateCommandQueue) function(clCreateContext) function( \
      clCreateImage) function(clCreateKernel) function(clCreateProgramWithBinary) function(clCreateProgramWithSource)  \
      function(clCreateSubBuffer) function(clEnqueueCopyBuffer) function(clEnqueueFillBuffer) function(                \
          clEnqueueMapBuffer) function(clEnqueueMarkerWithWaitList) function(clEnqueueNDRangeKernel)                   \
          function(clEnqueueReadBuffer) function(clEnqueueReadBufferRect) function(clEnqueueUnmapMemObject)            \
              function(clEnqueueWriteBuffer) function(clEnqueueWriteBufferRect) function(clFinish) function(clFlush)   \
                  function(clGetCommandQueueInfo) function(clGetContextInfo) function(clGetDeviceIDs)                  \
                      function(clGetDeviceInfo) function(clGetEventInfo) function(clGetEventProfilingInfo)             \
                          function(clGetKernelInfo) function(clGetKernelWorkGroupInfo) function(clGetMemObjectInfo)    \
                              function(clGetPlatformIDs) function(clGetPlatformInfo) function(clGetProgramBuildInfo)   \
                                  function(clGetProgramInfo) function(clReleaseCommandQueue)                           \
                                      function(clReleaseContext) function(clReleaseDevice) function(clReleaseEvent)    \
                                          function(clReleaseKernel) function(clReleaseMemObject)                       \
                                              function(clReleaseProgram) function(clRetainCommandQueue)                \
                                                  function(clRetainContext) function(clRetainDevice)                   \
                                                      function(clRetainEvent) function(clRetainKernel)                 \
                                                          function(clRetainMemObject) function(clRetainProgram)        \
                                                              function(clSetEventCallback) function(clSetKernelArg)    \
                                                                  function(clWaitForEvents)

namespace tilewright::opencl {

/// Pointers to the functions; either all are set or none is.
struct Functions {
#define TILEWRIGHT_POINTER(name) decltype(&::name) name = nullptr;
  TILEWRIGHT_OPENCL_FUNCTIONS(TILEWRIGHT_POINTER)
#undef TILEWRIGHT_POINTER
};

/// Returns the functions of the OpenCL library. The first call looks for the library, in this order:
///   1. an OpenCL loader that the process has already loaded, under any path
///   2. the file that the environment variable TILEWRIGHT_OPENCL_LIBRARY names
///   3. libOpenCL.so.1
/// The library stays loaded until the process ends.
const Functions& functions();

/// Returns why no OpenCL library could be used and what to do; empty if one is used.
std::string_view problem();

}  // namespace tilewright::opencl
