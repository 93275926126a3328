#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

cl_command_queue_properties properties_of(cl_command_queue queue);

/// Whether a queue runs its commands one after another.
bool is_in_order(cl_command_queue queue);

/// Whether a queue records when its commands ran.
bool is_profiled(cl_command_queue queue);

/// The commands that may still be using device memory, which the next ones must wait for. Commands that waited for a
/// failed one are let go as well: what they leave in the memory is not for the next ones to rely on.
class PendingCommands {
 public:
  /// Appends those that commands of a queue have to name: neither complete, nor failed, nor before them in its order.
  void append_to(std::vector<cl_event>& waits, cl_command_queue queue);

  /// One more command.
  void add(cl_event event);
  /// One that waits for all others: while it has not failed, it is enough to wait for it.
  void add_last(cl_event event);
  /// One without an event, in an in-order queue, that waits for all others. Commands of another queue then wait for a
  /// marker, and so for all that was enqueued in this one until then.
  void add_last_without_event(cl_command_queue queue);

  void clear();

 private:
  struct Command {
    cl::Event event;
    bool covers_others;  // waited for all that stand before it
  };

  void let_go();
  void name_unnamed();

  std::deque<Command> commands_;  // in their order
  cl::CommandQueue unnamed_;      // where the last command has no event; else null
};

/// Events that nobody waits for. PoCL 3.1 ends the process where a command fails whose event nobody holds, so these are
/// held until they are complete. Safe to use from many threads.
class HeldEvents {
 public:
  /// Those of one call, of which the last one waited for the others; at least one.
  void hold(std::vector<cl::Event> call);

 private:
  std::mutex mutex_;
  std::deque<std::vector<cl::Event>> calls_;
};

}  // namespace tilewright::detail
