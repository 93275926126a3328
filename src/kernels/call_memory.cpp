#include "kernels/call_memory.hpp"

#include <utility>

namespace tilewright::detail {

CallMemory::CallMemory(cl_command_queue queue, WorkspaceArena& arena, std::uint64_t workspace_bytes,
                       const WorkspaceRef& lent)
    : queue_(queue), arena_(arena), workspace_(lent) {
  if (lent.buffer != nullptr || workspace_bytes == 0) return;
  lease_.emplace(arena);
  workspace_ = {lease_->buffer()(), 0};
  share(lease_->pending());
}

void CallMemory::append_to(std::vector<cl_event>& waits) const {
  for (PendingCommands* const users : users_) users->append_to(waits, queue_);
}

void CallMemory::record(const std::vector<cl::Event>& commands, const Event& last, bool covers) {
  if (is_recorded_) return;
  for (PendingCommands* const users : users_) {
    for (const cl::Event& command : commands) users->add(command());
    if (last.get() != nullptr)
      users->add_last(last.get());
    else if (covers)
      users->add_last_without_event(queue_);
  }
  if (!is_shared() && !commands.empty()) {
    std::vector<cl::Event> all = commands;
    if (last.get() != nullptr) all.emplace_back(last.get(), true);
    arena_.held().hold(std::move(all));
  }
  lease_.reset();
  is_recorded_ = true;
}

}  // namespace tilewright::detail
