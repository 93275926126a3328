#pragma once

#include <deque>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

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

  void clear() { commands_.clear(); }

 private:
  struct Command {
    cl::Event event;
    bool covers_others;  // waited for all that stand before it
  };

  void let_go();

  std::deque<Command> commands_;  // in their order
};

}  // namespace tilewright::detail
