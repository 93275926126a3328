#include "tilewright/event.hpp"

#include "runtime/opencl.hpp"
#include "runtime/process.hpp"

namespace tilewright {

Event::~Event() {
  if (event_ != nullptr && !detail::process_is_ending()) clReleaseEvent(event_);
}

void Event::wait() const {
  if (event_ == nullptr) throw Error(ErrorCode::null_object, "this Event holds nothing to wait for");
  const cl_int status = clWaitForEvents(1, &event_);
  if (status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) return detail::check(status, "clWaitForEvents");
  // The event itself knows better what happened.
  cl_int execution = status;
  clGetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution, &execution, nullptr);
  throw detail::opencl_error(execution < 0 ? execution : status, "the enqueued operation");
}

}  // namespace tilewright
