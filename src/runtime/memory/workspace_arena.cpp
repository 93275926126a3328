#include "runtime/memory/workspace_arena.hpp"

namespace tilewright::detail {

void WorkspaceArena::reserve(const cl::Context& context, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes <= bytes_) return;
  buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE, bytes);
  bytes_ = bytes;
  pending_.clear();
}

}  // namespace tilewright::detail
