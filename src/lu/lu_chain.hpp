#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/kernel_arguments.hpp"
#include "kernels/launch.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/event.hpp"

namespace tilewright::detail {

/// Commands that are enqueued one after another, each to run after the one before it: by the order of an in-order
/// queue, or by events.
class LuChain {
 public:
  LuChain(cl_command_queue queue, std::vector<cl_event> waits);

  cl_command_queue queue() const { return queue_; }

  /// A kernel with its arguments.
  void launch(const cl::Kernel& kernel, const Launch& launch, const FixedValues& fixed, const CallValues& values);
  /// What another plan enqueues: it is told what to wait for, and whether it must make an event.
  void step(const std::function<Event(std::span<const cl_event> waits, bool event)>& enqueue);
  /// The same of a plan with a workspace, which it is lent.
  template <class Plan, class Operands>
  void plan(const Plan& plan, Operands operands, const WorkspaceRef& workspace) {
    if (plan.workspace_bytes() > 0) operands.workspace = workspace;
    step([&](std::span<const cl_event> waits, bool event) {
      operands.event = event;
      return plan.enqueue(queue_, operands, waits);
    });
  }

  /// The event of them all.
  Event finish();
  /// The events that were made. PoCL 3.1 ends the process where a command fails whose event nobody holds.
  const std::vector<cl::Event>& events() const { return kept_; }
  /// Whether nothing was enqueued.
  bool is_empty() const { return is_first_; }

 private:
  void add(Event event);

  cl_command_queue queue_;
  bool is_in_order_;  // and no events are needed
  bool is_first_ = true;
  std::vector<cl_event> waits_;  // of the next command
  std::vector<cl::Event> kept_;  // all that were made
};

}  // namespace tilewright::detail
