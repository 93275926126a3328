#include "runtime/memory/workspace_arena.hpp"

#include <utility>
#include <vector>

namespace tilewright::detail {

void WorkspaceArena::reserve(const cl::Context& context, std::uint64_t bytes, bool wants_zeros) {
  const std::lock_guard lock(mutex_);
  const bool grows = bytes > bytes_;
  cl::Buffer zeros = zeros_;
  // Nothing will wait for the commands that use the old zeros with the old buffer.
  if (zeros() != nullptr ? grows : wants_zeros) {
    std::vector<char> values(zero_bytes);
    zeros = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zero_bytes, values.data());
  }
  if (grows) {
    const std::uint64_t before = std::exchange(bytes_, 0);
    // The old buffer is released first, so that both never exist at once.
    buffer_ = cl::Buffer();
    try {
      buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE, bytes);
    } catch (...) {
      if (before > 0) buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE, before);
      bytes_ = before;
      throw;
    }
    bytes_ = bytes;
    pending_.clear();
  }
  zeros_ = std::move(zeros);
}

}  // namespace tilewright::detail
