#include "tilewright/event.hpp"

#include <string>

#include "runtime/device/opencl.hpp"
#include "runtime/system/process.hpp"

namespace tilewright {
namespace {

// A command's own status is a negative number. Drivers take the code of the call that would have told, so these are
// worth a name; any other number may be anything, and -1 is not CL_DEVICE_NOT_FOUND.
Error error_of(cl_int execution) {
  switch (execution) {
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
    case -9999:  // NVIDIA's, of an access to memory that is not the kernel's
      return detail::opencl_error(execution, "the enqueued operation");
    default:
      return {ErrorCode::opencl_failure,
              "the enqueued operation, or one that it waited for, failed with the execution status " +
                  std::to_string(execution),
              execution};
  }
}

}  // namespace

Event::~Event() {
  if (event_ != nullptr && !detail::process_is_ending()) clReleaseEvent(event_);
}

void Event::wait() const {
  if (event_ == nullptr) throw Error(ErrorCode::null_object, "this Event holds nothing to wait for");
  const cl_int status = clWaitForEvents(1, &event_);
  if (status != CL_SUCCESS && status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    detail::check(status, "clWaitForEvents");
  // The event itself knows better what happened. NVIDIA's driver tells nothing of a failed user event but there.
  cl_int execution = status;
  clGetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution, &execution, nullptr);
  if (execution < 0) throw error_of(execution);
  if (status < 0) throw error_of(status);
}

}  // namespace tilewright
