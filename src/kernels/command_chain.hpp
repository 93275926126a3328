// The commands of one call that run one after another, on a queue of either order, and the workspace they share.
#pragma once

#include <span>
#include <vector>

#include "kernels/launch_sequence.hpp"
#include "kernels/partly_enqueued.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/error.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Runs the steps of algorithms over plans: each step waits for the step before. In an in-order queue without
/// profiling, steps make no events if nothing before them can fail.
class CommandChain {
 public:
  /// The first step runs after `waits`. The workspace of `workspace_bytes` bytes is the one the caller lends, otherwise
  /// the arena's. No other call uses the arena's workspace while the chain exists.
  CommandChain(cl_command_queue queue, std::span<const cl_event> waits, WorkspaceArena& arena,
               std::uint64_t workspace_bytes = 0, const WorkspaceRef& lent = {});
  ~CommandChain();
  CommandChain(const CommandChain&) = delete;
  CommandChain& operator=(const CommandChain&) = delete;

  cl_command_queue queue() const { return queue_; }
  const WorkspaceRef& workspace() const { return memory_.workspace(); }

  /// Calls enqueue(waits, event), which enqueues a step and returns its event, or null if none is wanted. The event of
  /// the last step is made if the caller wants it. Throws PartlyEnqueued if a step fails after others were enqueued.
  template <class Step>
  void add(Step&& enqueue, bool event = false) {
    keep_last();
    try {
      follow(std::forward<Step>(enqueue)(std::span<const cl_event>(waits_), event || makes_events_));
    } catch (const Error& error) {
      if (!is_begun_ && made_.empty()) throw;
      throw partly_enqueued(error);
    }
  }

  /// Adds a call of a plan, which is lent a workspace if it needs one.
  template <class Plan, class Operands>
  void plan(const Plan& plan, Operands operands, const WorkspaceRef& workspace, bool event = false) {
    if (plan.workspace_bytes() > 0) operands.workspace = workspace;
    add(
        [&](std::span<const cl_event> waits, bool makes_event) {
          operands.event = makes_event;
          return plan.enqueue(queue_, operands, waits);
        },
        event);
  }

  /// Adds a call of a sequence of launches.
  void run(LaunchSequence& sequence, CallValues values, bool event = false);
  /// Adds a launch of a kernel, with its arguments.
  void launch(const LaunchKernel& kernel, const Launch& launch, const FixedValues& fixed, const CallValues& values);

  /// Returns the event of the last step, which covers all steps. On a queue that profiles, its times begin with the
  /// first step. If the last step has no event, or there is no step, `event` requests a marker's event.
  Event finish(bool event = false);

 private:
  void keep_last();
  void follow(Event done);
  void release();

  cl_command_queue queue_;
  std::vector<cl_event> waits_;  // for the next step
  CallMemory memory_;
  bool is_profiled_ = false;
  bool makes_events_ = true;
  bool is_begun_ = false;
  std::vector<cl::Event> made_;  // events before the last
  Event last_;
  Event first_;  // on queues that profile: the commands of the first step
};

}  // namespace tilewright::detail
