// The commands of one call that come one after another, on a queue of either order, and the workspace that they share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch_sequence.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/memory/workspace_arena.hpp"
#include "tilewright/error.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// Keeps memory for the chains of a plan, of so many bytes; throws Error(out_of_memory).
void reserve_workspace(WorkspaceArena& arena, const Engine& engine, std::uint64_t bytes);

/// Throws Error(out_of_memory) if the workspace could neither be enlarged nor allocated again as it was.
void check_has_buffer(const WorkspaceArena::Lease& lease);

/// Runs the steps of algorithms over plans: each step waits for the one before. In an in-order queue that does not
/// profile, steps make no events where nothing can fail before them.
class CommandChain {
 public:
  /// The first step comes after `waits`. The workspace, of so many bytes, is what the caller lends, else the arena's,
  /// which no other call uses while the chain is there.
  CommandChain(cl_command_queue queue, std::span<const cl_event> waits, WorkspaceArena& arena,
               std::uint64_t workspace_bytes = 0, const WorkspaceRef& lent = {});
  ~CommandChain();
  CommandChain(const CommandChain&) = delete;
  CommandChain& operator=(const CommandChain&) = delete;

  cl_command_queue queue() const { return queue_; }
  const WorkspaceRef& workspace() const { return workspace_; }

  /// Calls enqueue(waits, event), which enqueues a step and returns its event, null where none is wanted. The event of
  /// the last step is made where the caller wants it. Where a step fails after others were enqueued, the message says
  /// so.
  template <class Step>
  void add(Step&& enqueue, bool event = false) {
    keep_last();
    try {
      follow(std::forward<Step>(enqueue)(std::span<const cl_event>(waits_), event || makes_events_));
    } catch (const Error& error) {
      if (!is_begun_ && made_.empty()) throw;
      throw Error(error.code(), error.operand(), std::string(error.what()) + part_message(error.what()),
                  error.opencl_status());
    }
  }

  /// A call of a plan, which is lent a workspace where it needs one.
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

  /// Launches of a plan's own.
  void run(LaunchSequence& sequence, CallValues values, bool event = false);
  /// A kernel with its arguments.
  void launch(const LaunchKernel& kernel, const Launch& launch, const FixedValues& fixed, const CallValues& values);

  /// The event of the last step, which covers all steps; on a queue that profiles, its times begin with the first
  /// step. Where the last step has no event, or there is no step, `event` asks for a marker's.
  Event finish(bool event = false);

 private:
  void keep_last();
  void follow(Event done);
  void let_go();
  static const char* part_message(std::string_view message);

  cl_command_queue queue_;
  std::vector<cl_event> waits_;  // of the next step
  WorkspaceRef workspace_;
  WorkspaceArena& arena_;
  std::optional<WorkspaceArena::Lease> lease_;
  bool is_profiled_ = false;
  bool makes_events_ = true;
  bool is_begun_ = false;
  std::vector<cl::Event> made_;  // before the last
  Event last_;
  Event first_;  // holds the commands of the first step, on queues that profile
};

}  // namespace tilewright::detail
