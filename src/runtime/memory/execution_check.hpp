// Detection of commands that a driver skipped.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Reports whether a command was executed, by a read of a few bytes after it. The event of a command alone does not
/// show this in all drivers. Intel's CPU runtime skips commands of an in-order queue if an event that they waited for
/// failed, but reports them as complete. Thread-safe.
class ExecutionCheck {
 public:
  enum class Outcome { pending, executed, failed };

  /// For a command that waited for nothing: its own event suffices.
  explicit ExecutionCheck(const cl::Event& command) : command_(command), event_(command) {}

  /// Enqueues a read from byte `offset` of a buffer after `command`. The read finds `expected` there only if the
  /// command was executed.
  ExecutionCheck(cl_command_queue queue, const cl::Event& command, const cl::Buffer& buffer, std::size_t offset,
                 cl_ulong expected);

  Outcome outcome() const;

  /// Completes when the outcome is known; fails if the command fails.
  cl_event event() const { return event_(); }

  /// Appends the events to wait for while the outcome is pending.
  void append_to(std::vector<cl_event>& waits) const;

 private:
  cl::Event command_;
  cl::Event event_;
  std::shared_ptr<cl_ulong> seen_;  // null: the event suffices
  cl_ulong expected_ = 0;
  mutable std::atomic<bool> was_executed_{false};
};

/// Enqueues a write of a value to the beginning of a buffer after `waits`.
cl::Event write_stamp(cl_command_queue queue, const cl::Buffer& buffer, cl_ulong value,
                      std::span<const cl_event> waits);

/// Keeps memory alive until a command that uses it is done. Waits for the command if the driver accepts no callback.
void keep_until_done(const cl::Event& command, std::shared_ptr<void> memory);

}  // namespace tilewright::detail
