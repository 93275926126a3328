#pragma once

#include <vector>

#include "runtime/opencl.hpp"

namespace tilewright::detail {

/// The commands that may still be using device memory, which the next ones must wait for.
class Users {
 public:
  /// Appends those that commands of a queue have to name: neither complete, nor failed, nor before them in its order.
  void append_to(std::vector<cl_event>& waits, cl_command_queue queue) const;

  void add(cl_event event) { events_.emplace_back(event, true); }
  void clear() { events_.clear(); }

 private:
  std::vector<cl::Event> events_;
};

}  // namespace tilewright::detail
