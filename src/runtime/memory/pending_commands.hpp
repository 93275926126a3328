// Commands that may still use device memory, and events that are held until they are complete.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

cl_command_queue_properties properties_of(cl_command_queue queue);

/// Whether a queue runs its commands one after another.
bool is_in_order(cl_command_queue queue);

/// The commands that may still use device memory, for which the next ones must wait. Commands that waited for a failed
/// one are dropped as well: later commands do not rely on their results.
class PendingCommands {
 public:
  /// Appends the events that commands of a queue must wait for explicitly. Complete and failed commands are left out,
  /// and so are those that the queue's own order covers.
  void append_to(std::vector<cl_event>& waits, cl_command_queue queue);

  /// Adds a command.
  void add(cl_event event);
  /// Adds a command that waits for all others. Unless it fails, waiting for it is enough.
  void add_last(cl_event event);
  /// Adds a command without an event to an in-order queue; it must wait for all others. Commands of another queue then
  /// wait for a marker, and so for everything enqueued in this queue until then.
  void add_last_without_event(cl_command_queue queue);

  /// If the last command is in `queue` and has no event, keeps the event of a later command of this queue instead of
  /// the queue. Does nothing without an event.
  void name_last(cl_command_queue queue, cl_event later);

  void clear();

 private:
  struct Command {
    cl::Event event;
    bool covers_others;  // waited for all earlier commands
  };

  void release();
  void name_unnamed();

  std::deque<Command> commands_;  // in the order of their addition
  cl::CommandQueue unnamed_;      // queue of a last command without an event; otherwise null
};

/// Events that no one waits for, held until they are complete. PoCL 3.1 ends the process if a command fails whose event
/// no one holds. Thread-safe.
class HeldEvents {
 public:
  /// Holds the events of one call, at least one. The last command must have waited for the others.
  void hold(std::vector<cl::Event> call);

 private:
  std::mutex mutex_;
  std::deque<std::vector<cl::Event>> calls_;
};

}  // namespace tilewright::detail
