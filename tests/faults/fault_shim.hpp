// OpenCL calls that fail when a test says so. The shim is a shared library with functions of the names of OpenCL's; a
// program that links it before the ICD loader, or preloads it, calls these, which call the loader's.
//
//   TILEWRIGHT_FAULT=clEnqueueNDRangeKernel:3:-5 LD_PRELOAD=libtilewright_fault_shim.so program
//
// makes the third such call of any program fail with that status.
#pragma once

#include <map>
#include <string>

#include "tilewright/opencl.hpp"

namespace tilewright::faults {

/// Forgets the calls that were counted, and counts from now on. The n-th call of `function` from now on fails with
/// `status`; none where n is 0.
void arm(const std::string& function, unsigned n, cl_int status);

/// No call fails from now on, and none is counted. Whether one failed since arm().
bool disarm();

/// How often each function was called since arm().
std::map<std::string, unsigned> calls();

/// References to OpenCL objects that were made or retained through the shim and not released, by the object's kind.
std::map<std::string, long> live_objects();

}  // namespace tilewright::faults
