// OpenCL calls that fail on a test's demand. The shim is a shared library with functions of OpenCL's names. A program
// that links it before the ICD loader, or preloads it, calls these functions, which call the loader's.
//
//   TILEWRIGHT_FAULT=clEnqueueNDRangeKernel:3:-5 LD_PRELOAD=libtilewright_fault_shim.so program
//
// makes the third such call of any program fail with that status.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tilewright/opencl.hpp"

namespace tilewright::faults {

/// How the failure of a call shows.
enum class Failure {
  returned,  ///< The call does nothing and returns the status.
  event,     ///< The call succeeds, but its command is not done and its event ends with the status. So do all later
             ///< commands of its queue and those that wait for such an event.
  command,   ///< The call succeeds, but its command is not done and its event ends with the status. So do commands
             ///< that wait for it.
  lasting,   ///< The call returns the status, and so do all later calls of the same function.
  lost,      ///< The call returns the status, and so do all later calls on objects of the same context.
  held,      ///< The call succeeds, but its command does not start before release_held().
};

struct Fault {
  std::string function{};  ///< empty: any function
  unsigned call = 0;       ///< the number of the call that fails, counted from arm(); 0: none
  cl_int status = CL_SUCCESS;
  cl_context context = nullptr;  ///< counts only calls on objects of this context; null: all calls
  Failure failure = Failure::returned;
};

/// Forgets the calls that were counted, and counts from now on.
void arm(const Fault& fault);

/// Whether a command is held: Failure::held has met its call.
bool holds_command();
/// Starts the held command, and disarms.
void release_held();

/// No call fails from now on, and none is counted. Returns whether a call failed since arm().
bool disarm();

/// How often each function was called since arm(), in the fault's context.
std::map<std::string, unsigned> calls();

/// Devices report this much memory, and allocations of this size, from now on; 0: what they have.
void pretend_memory(cl_ulong bytes);

/// Devices report that they allocate no more than this at once, from now on; 0: what they report.
void limit_allocation(cl_ulong bytes);

/// References to OpenCL objects that were made or retained through the shim and not released, by the object's kind.
std::map<std::string, long> live_objects();

/// Measures how much memory is allocated for buffers and images that are created from now on. Buffers over host memory
/// do not count.
void measure_memory();
/// The largest number of bytes that were allocated at one moment since measure_memory().
std::uint64_t max_memory();

}  // namespace tilewright::faults
