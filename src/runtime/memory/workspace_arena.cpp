#include "runtime/memory/workspace_arena.hpp"

#include <utility>
#include <vector>

namespace tilewright::detail {

void WorkspaceArena::reserve(const cl::Context& context, std::uint64_t bytes, bool wants_zeros) {
  const std::lock_guard lock(mutex_);
  const bool grows = bytes > bytes_;
  cl::Buffer zeros = zeros_;
  // After pending_.clear(), nothing waits for commands that use the old zeros. They are therefore replaced too.
  if (zeros() != nullptr ? grows : wants_zeros) {
    std::vector<char> values(zero_bytes);
    zeros = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zero_bytes, values.data());
  }
  if (grows) {
    // Releases the old buffer first: both exist at once only while commands still use the old one.
    buffer_ = cl::Buffer();
    context_ = context;
    const std::uint64_t before = std::exchange(bytes_, bytes);
    try {
      allocate();
    } catch (...) {
      bytes_ = before;  // the next call that needs the buffer allocates it again
      throw;
    }
    pending_.clear();
  }
  zeros_ = std::move(zeros);
}

void WorkspaceArena::allocate() { buffer_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes_); }

}  // namespace tilewright::detail
