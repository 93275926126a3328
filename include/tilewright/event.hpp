#pragma once

#include <utility>

#include "tilewright/export.hpp"
#include "tilewright/opencl.hpp"

namespace tilewright {

/// Owns one reference to a cl_event that covers everything an operation enqueued.
class Event {
 public:
  Event() = default;
  /// Takes over one reference.
  explicit Event(cl_event event) noexcept : event_(event) {}
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  TILEWRIGHT_API ~Event();

  cl_event get() const noexcept { return event_; }

  /// Hands the reference to the caller, who must release it.
  cl_event release() noexcept { return std::exchange(event_, nullptr); }

  /// Blocks until the operation is complete; throws Error if it failed on the device.
  TILEWRIGHT_API void wait() const;

 private:
  cl_event event_ = nullptr;
};

}  // namespace tilewright
