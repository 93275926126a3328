// Events of calls, and the times that the device spent on them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// Times of a call on the device, in nanoseconds of the device's clock.
struct EventTimes {
  std::uint64_t queued = 0;  ///< the first command was enqueued
  std::uint64_t start = 0;   ///< the first command started
  std::uint64_t end = 0;     ///< the last command ended

  /// Seconds from start to end, with any pauses between the commands.
  double seconds() const noexcept { return end > start ? static_cast<double>(end - start) * 1e-9 : 0; }
};

/// Owns a reference to a cl_event that completes when all commands of a call have completed. May be empty.
///
/// OpenCL profiles single commands. get() is the last command of the call, and clGetEventProfilingInfo() reports the
/// times of that command alone. For a call of one launch these are the times of the call. For a call of several
/// launches they are those of the last launch, and for a call that has nothing to do those of a marker: 0 seconds.
/// times() reports the whole call in either case.
class Event {
 public:
  Event() = default;
  /// Takes over the caller's reference.
  explicit Event(cl_event event) noexcept : event_(event) {}
  Event(Event&& other) noexcept
      : event_(std::exchange(other.event_, nullptr)), earlier_(std::exchange(other.earlier_, {})) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    std::swap(earlier_, other.earlier_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  TILEWRIGHT_API ~Event();

  /// The OpenCL event, or null if the call made none. The Event keeps its reference.
  cl_event get() const noexcept { return event_; }

  /// Hands the reference to the caller, who must release it. Afterwards the Event is empty.
  [[nodiscard]] cl_event release() noexcept { return std::exchange(event_, nullptr); }

  /// Blocks until the call is complete. Throws Error(null_object) if the Event is empty, and Error(device_lost,
  /// out_of_memory, opencl_failure) if a command of the call failed on the device.
  TILEWRIGHT_API void wait() const;

  /// Blocks until the operation is complete, and returns the times of all its commands together. The queue must have
  /// been created with CL_QUEUE_PROFILING_ENABLE; on other queues events keep nothing but get().
  /// Throws what wait() throws, and Error(opencl_failure) with the status CL_PROFILING_INFO_NOT_AVAILABLE if the queue
  /// does not profile.
  [[nodiscard]] TILEWRIGHT_API EventTimes times() const;

  /// Lets times() also cover `first`, a call or command that this call waited for, so that several calls are timed as
  /// one. Keeps a reference to the commands of `first`.
  TILEWRIGHT_API void begin_with(const Event& first);
  TILEWRIGHT_API void begin_with(cl_event first);

 private:
  cl_event event_ = nullptr;
  std::vector<cl_event> earlier_;  // commands that may have started before event_; only on queues that profile
};

}  // namespace tilewright
