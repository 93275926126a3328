#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Tells whether a command was executed: a few bytes are read after it. A command's event alone does not tell it in all
/// drivers: Intel's CPU runtime calls commands of an in-order queue complete that it left out because an event that
/// they waited for had failed. Safe to use from many threads.
class Witness {
 public:
  enum class Outcome { pending, executed, failed };

  /// For a command that waited for nothing: its event tells.
  explicit Witness(const cl::Event& command) : command_(command), event_(command) {}

  /// Enqueues a read from byte `offset` of a buffer after `command`; it finds `expected` there only where the command
  /// was executed.
  Witness(cl_command_queue queue, const cl::Event& command, const cl::Buffer& buffer, std::size_t offset,
          cl_ulong expected);

  Outcome outcome() const;

  /// Complete when the outcome is known; it fails where the command does.
  cl_event event() const { return event_(); }

  /// Appends what must be waited for while the outcome is pending.
  void append_to(std::vector<cl_event>& waits) const;

 private:
  cl::Event command_;
  cl::Event event_;
  std::shared_ptr<cl_ulong> seen_;  // null: the event tells
  cl_ulong expected_ = 0;
  mutable std::atomic<bool> was_executed_{false};
};

/// Enqueues the writing of a value at the beginning of a buffer after `waits`.
cl::Event write_stamp(cl_command_queue queue, const cl::Buffer& buffer, cl_ulong value,
                      std::span<const cl_event> waits);

/// Keeps memory until a command that uses it is done. Waits for the command where the driver takes no callback.
void keep_until_done(const cl::Event& command, std::shared_ptr<void> memory);

}  // namespace tilewright::detail
