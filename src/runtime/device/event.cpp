#include "tilewright/event.hpp"

#include <algorithm>
#include <string>

#include "runtime/device/opencl.hpp"
#include "runtime/system/process.hpp"

namespace tilewright {
namespace {

// A failed command has a negative execution status. Drivers use the error code of the call that would have failed, so
// the codes below are worth naming. Any other number may mean anything: -1 is not CL_DEVICE_NOT_FOUND here.
Error error_of(cl_int execution) {
  switch (execution) {
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
    case -9999:  // NVIDIA: a kernel accessed foreign memory
      return detail::opencl_error(execution, "the enqueued operation");
    default:
      return {ErrorCode::opencl_failure,
              "the enqueued operation, or one that it waited for, failed with the execution status " +
                  std::to_string(execution),
              execution};
  }
}

cl_int query_time(cl_event event, cl_profiling_info what, std::uint64_t& time) {
  cl_ulong value = 0;
  const cl_int status = clGetEventProfilingInfo(event, what, sizeof value, &value, nullptr);
  time = value;
  return status;
}

std::uint64_t time_of(cl_event event, cl_profiling_info what) {
  std::uint64_t time = 0;
  const cl_int status = query_time(event, what, time);
  if (status == CL_PROFILING_INFO_NOT_AVAILABLE)
    throw Error(ErrorCode::opencl_failure,
                "the call's queue does not profile its commands; create it with CL_QUEUE_PROFILING_ENABLE", status);
  detail::check(status, "clGetEventProfilingInfo");
  return time;
}

}  // namespace

Event::~Event() {
  if ((event_ == nullptr && earlier_.empty()) || detail::process_is_ending()) return;
  if (event_ != nullptr) clReleaseEvent(event_);
  for (const cl_event event : earlier_) clReleaseEvent(event);
}

void Event::wait() const {
  if (event_ == nullptr) throw Error(ErrorCode::null_object, "this Event holds nothing to wait for");
  const cl_int status = clWaitForEvents(1, &event_);
  if (status != CL_SUCCESS && status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    detail::check(status, "clWaitForEvents");
  // The event's own status is more precise. NVIDIA's driver reports a failed user event only there.
  cl_int execution = status;
  clGetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution, &execution, nullptr);
  if (execution < 0) throw error_of(execution);
  if (status < 0) throw error_of(status);
}

EventTimes Event::times() const {
  wait();
  EventTimes times{.queued = time_of(event_, CL_PROFILING_COMMAND_QUEUED),
                   .start = time_of(event_, CL_PROFILING_COMMAND_START),
                   .end = time_of(event_, CL_PROFILING_COMMAND_END)};
  for (const cl_event event : earlier_) {
    // An incomplete command did not start first: the last command completed without waiting for it.
    std::uint64_t queued = 0, start = 0;
    if (query_time(event, CL_PROFILING_COMMAND_QUEUED, queued) != CL_SUCCESS ||
        query_time(event, CL_PROFILING_COMMAND_START, start) != CL_SUCCESS)
      continue;
    times.queued = std::min(times.queued, queued);
    times.start = std::min(times.start, start);
  }
  return times;
}

void Event::begin_with(cl_event first) {
  if (first == nullptr || first == event_) return;
  earlier_.reserve(earlier_.size() + 1);
  detail::check(clRetainEvent(first), "clRetainEvent");
  earlier_.push_back(first);
}

void Event::begin_with(const Event& first) {
  if (&first == this) return;
  for (const cl_event event : first.earlier_) begin_with(event);
  begin_with(first.event_);
}

}  // namespace tilewright
