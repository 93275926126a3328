#include "runtime/memory/workspace_arena.hpp"

#include <utility>
#include <vector>

namespace tilewright::detail {

void WorkspaceArena::reserve(const cl::Context& context, std::uint64_t bytes, bool wants_zeros) {
  const std::lock_guard lock(mutex_);
  const bool grows = bytes > bytes_;
  cl::Buffer zeros = zeros_;
  // Nobody will wait for those who use what is there with a smaller buffer.
  if (zeros() != nullptr ? grows : wants_zeros) {
    std::vector<char> values(zero_bytes);
    zeros = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zero_bytes, values.data());
  }
  if (grows) {
    buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE, bytes);
    bytes_ = bytes;
    pending_.clear();
  }
  zeros_ = std::move(zeros);
}

}  // namespace tilewright::detail
