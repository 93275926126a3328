// The device memory that the commands of one call share with other calls.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/fixed_list.hpp"
#include "runtime/device/opencl.hpp"
#include "runtime/memory/workspace_arena.hpp"
#include "tilewright/event.hpp"
#include "tilewright/matrix.hpp"

namespace tilewright::detail {

/// The workspace of a call, which the caller lends or the engine has, and memory of the plan. Its commands wait for the
/// earlier users of this memory, and become its users. While the engine's workspace is used, no other call gets it.
class CallMemory {
 public:
  CallMemory(cl_command_queue queue, WorkspaceArena& arena, std::uint64_t workspace_bytes, const WorkspaceRef& lent);

  /// Adds memory of the plan, whose users these are.
  void share(PendingCommands& users) { users_.push_back(&users); }
  /// Whether other calls may use a part of the memory.
  bool is_shared() const { return !users_.empty(); }

  const WorkspaceRef& workspace() const { return workspace_; }
  /// Zeros for tickets, if the engine's workspace is used; otherwise null.
  cl_mem zeros() const { return lease_ ? lease_->zeros()() : nullptr; }

  /// Appends the events of earlier users that commands of the queue must wait for.
  void append_to(std::vector<cl_event>& waits) const;

  /// Makes the commands of the call users of the memory, and gives the engine's workspace back. Without shared memory,
  /// holds their events. `last` waited for the others. `covers`: if `last` has no event, the order of the queue ensures
  /// that a later command runs after all of them. Does nothing if it was done before.
  void record(const std::vector<cl::Event>& commands, const Event& last, bool covers);

 private:
  cl_command_queue queue_;
  WorkspaceArena& arena_;
  WorkspaceRef workspace_;
  std::optional<WorkspaceArena::Lease> lease_;
  FixedList<PendingCommands*, 3> users_;  // of the engine's workspace, of the plan's memory, and of failed calls
  bool is_recorded_ = false;
};

}  // namespace tilewright::detail
