// Makes OpenCL calls fail on a test's demand. The shim is a shared library with functions of OpenCL's names. A program
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

/// Resets the counts and starts counting.
void arm(const Fault& fault);

/// Whether a command is held, because the call of Failure::held was made.
bool holds_command();
/// Starts the held command, and disarms.
void release_held();

/// Stops failing and counting calls. Returns whether a call failed since arm().
bool disarm();

/// How often each function was called since arm(), in the fault's context.
std::map<std::string, unsigned> calls();

/// Makes devices report this much memory, and allocations of this size; 0: the real values.
void pretend_memory(cl_ulong bytes);

/// Makes devices report this limit on one allocation; 0: the real value.
void limit_allocation(cl_ulong bytes);

/// References to OpenCL objects that were made or retained through the shim and not yet released, by kind of object.
std::map<std::string, long> live_objects();

/// Starts to measure the memory of buffers and images that are created from now on. Buffers over host memory do not
/// count.
void measure_memory();
/// The largest number of bytes that were allocated at one moment since measure_memory().
std::uint64_t max_memory();

}  // namespace tilewright::faults
