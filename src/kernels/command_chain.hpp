// The commands of one call, on a queue of either order, and the memory that they share with other calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/call_memory.hpp"
#include "kernels/enqueue_launch.hpp"
#include "kernels/partly_enqueued.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/error.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Enqueues the steps of a call: launches, calls of plans, and other commands. Each step waits for the step before. In
/// an in-order queue, steps make no events if nothing before them can fail. With profiling, the first step makes one
/// for its time.
class CommandChain {
 public:
  /// The first step runs after `waits`. The workspace of `workspace_bytes` bytes is the one the caller lends, otherwise
  /// the arena's. No other call uses the arena's workspace while the chain exists.
  CommandChain(cl_command_queue queue, std::span<const cl_event> waits, WorkspaceArena& arena,
               std::uint64_t workspace_bytes = 0, const WorkspaceRef& lent = {});
  ~CommandChain();
  CommandChain(const CommandChain&) = delete;
  CommandChain& operator=(const CommandChain&) = delete;

  /// Adds memory of the plan, before the first step. The chain waits for its users, and its commands become users.
  void share(PendingCommands& users);
  /// Also makes the commands of a failed call users of this memory, so that later calls of the plan wait for them.
  void leave_to(PendingCommands& users) { memory_.share(users); }

  /// Sets whether the call has many steps. Each of them then makes an event, so that the call fails if any command
  /// fails. A single step makes no event if no other call needs it.
  void expect_steps(bool many) { has_many_steps_ = many; }

  /// The caller asks for no event, so the time of the first step is not needed.
  void leave_out_times() { wants_times_ = false; }

  cl_command_queue queue() const { return queue_; }
  const CallMemory& memory() const { return memory_; }
  const WorkspaceRef& workspace() const { return memory_.workspace(); }

  /// Calls enqueue(waits, event), which enqueues a step and returns its event, or null if none is wanted. The event of
  /// the last step is made if the caller wants it. A `parallel` step does not wait for the step before, but for the
  /// same commands as that step; the next step waits for both. Throws PartlyEnqueued if a step fails after others were
  /// enqueued.
  template <class Step>
  void add(Step&& enqueue, bool event = false, bool parallel = false) {
    attempt([&] {
      begin_step(parallel);
      last_ = std::forward<Step>(enqueue)(std::span<const cl_event>(waits_), event || makes_events());
      is_begun_ = true;
      ends_unnamed_ = last_.get() == nullptr;
    });
  }

  /// Also records this command of the current step as a user of the memory, even if the step fails.
  void keep(cl_event command) { made_.emplace_back(command, true); }

  /// Adds a launch, whose arguments set_arguments() sets.
  template <class SetArguments>
  void launch(const LaunchKernel& kernel, const Launch& launch, const GridDepth& depth, SetArguments&& set_arguments,
              bool event = false, bool parallel = false) {
    add(
        [&](std::span<const cl_event> waits, bool makes_event) {
          std::forward<SetArguments>(set_arguments)();
          return enqueue_launch(queue_, kernel, launch, depth, waits, made_, makes_event);
        },
        event, parallel);
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

  /// Returns the event of the last step, which covers all steps, but no commands that were kept. On a queue that
  /// profiles, its times begin with the first step. If the last step has no event, or there is no step, `event`
  /// requests a marker's event.
  Event finish(bool event = false);

 private:
  template <class Function>
  void attempt(Function&& function) {
    try {
      translated(std::forward<Function>(function));
    } catch (const PartlyEnqueued&) {
      cover_parts();
      throw;
    } catch (const Error& error) {
      if (!is_begun_ && made_.empty()) throw;
      throw partly_enqueued(error);
    }
  }

  void begin_step(bool parallel);
  bool makes_events();
  bool has(cl_command_queue_properties property);
  bool is_profiled() { return has(CL_QUEUE_PROFILING_ENABLE); }
  void note_first_steps();
  void cover_parts();
  void release();

  cl_command_queue queue_;
  std::vector<cl_event> waits_;    // for the current step
  bool waits_for_others_ = false;  // the call waits for commands that are not its own
  CallMemory memory_;
  std::optional<cl_command_queue_properties> properties_;  // of the queue, once they were needed
  std::optional<bool> has_many_steps_;                     // empty: not known
  bool wants_times_ = true;
  bool is_begun_ = false;
  bool ends_unnamed_ = false;         // the last command that was enqueued has no event
  bool is_first_ = true;              // no step has waited for another one yet
  std::vector<cl::Event> made_;       // events of commands before the last
  std::vector<cl_event> concurrent_;  // events of the steps to which the last one is parallel
  Event last_;                        // of the last step
  Event first_;                       // on queues that profile: the commands of the first steps
  std::size_t noted_ = 0;             // events in `made_` that `first_` has
};

}  // namespace tilewright::detail
