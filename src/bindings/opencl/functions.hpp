// The OpenCL functions that the library calls, found at run time.
#pragma once

#include <CL/cl.h>

#include <string>
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

/// Returns the functions of the OpenCL library, null ones if there is none. Calls look for the library until it is
/// found: the file that the environment variable TILEWRIGHT_OPENCL_LIBRARY names. If it is not set, the first of
///   1. an OpenCL loader that the process has already loaded, under any path
///   2. libOpenCL.so.1
/// that has all functions. The library stays loaded until the process ends.
const Functions& functions();

/// Returns the path of the OpenCL library that is used; empty if there is none.
std::string path();

/// Returns why no OpenCL library could be used and what to do; empty if one is used.
std::string problem();

/// Returns whether a file is an OpenCL loader by its name: libOpenCL, then a version or what packages append, as in
/// libOpenCL-1a2b3c4d.so.1.0.0.
bool is_loader(std::string_view path);

}  // namespace tilewright::opencl
