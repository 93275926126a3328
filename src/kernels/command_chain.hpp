// The commands of one call that come one after another, on a queue of either order, and the workspace that they share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/workspace_arena.hpp"
#include "tilewright/error.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// For algorithms over plans: each step is a call of a plan, which waits for the one before. In an in-order queue steps
/// make no events where nothing can fail before them.
class CommandChain {
 public:
  /// The first step comes after `waits`. The workspace is what the caller lends, else the arena's where one is given,
  /// which no other call uses while the chain is there.
  CommandChain(cl_command_queue queue, std::span<const cl_event> waits, const WorkspaceRef& lent,
               WorkspaceArena* arena);
  ~CommandChain();
  CommandChain(const CommandChain&) = delete;
  CommandChain& operator=(const CommandChain&) = delete;

  const WorkspaceRef& workspace() const { return workspace_; }

  /// Calls enqueue(waits, event), which enqueues a step and returns its event, null where none is wanted. The event of
  /// the last step is made where the caller wants it. Where a step fails after others were enqueued, the message says
  /// so.
  template <class Step>
  void add(Step&& enqueue, bool event = false) {
    try {
      follow(std::forward<Step>(enqueue)(std::span<const cl_event>(waits_), event || makes_events_));
    } catch (const Error& error) {
      if (!is_begun_) throw;
      throw Error(error.code(), error.operand(), std::string(error.what()) + part_message(error.what()),
                  error.opencl_status());
    }
  }

  /// The event of the last step, which covers them all.
  Event finish();

 private:
  void follow(Event done);
  static const char* part_message(std::string_view message);

  cl_command_queue queue_;
  std::vector<cl_event> waits_;  // of the next step
  WorkspaceRef workspace_;
  std::optional<WorkspaceArena::Lease> lease_;
  bool makes_events_ = true;
  bool is_begun_ = false;
  Event last_;
};

}  // namespace tilewright::detail
