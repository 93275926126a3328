// The workspace that an engine's calls share.
#pragma once

#include <cstdint>
#include <mutex>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/pending_commands.hpp"

namespace tilewright::detail {

/// Size of the buffer of zeros in bytes.
inline constexpr std::uint64_t zero_bytes = 1 << 16;

/// An engine's workspace: one buffer, as large as the largest workspace of any plan, which calls use one after another.
/// It includes a small buffer of zeros, which each call leaves unchanged. Thread-safe.
class WorkspaceArena {
 public:
  /// Makes the buffer at least `bytes` long, and the zeros if they are wanted. Commands enqueued with a smaller buffer
  /// keep that buffer and its zeros until they are complete. If the allocation fails, plans that need no more than
  /// before still work.
  void reserve(const cl::Context& context, std::uint64_t bytes, bool wants_zeros);

  /// Events of the engine's commands that do not use the workspace.
  HeldEvents& held() { return held_; }

  /// The buffers for one call. While a lease exists, no other call enqueues commands that use them.
  class Lease {
   public:
    explicit Lease(WorkspaceArena& arena) : lock_(arena.mutex_), arena_(arena) {
      if (arena.bytes_ > 0 && arena.buffer_() == nullptr) arena.allocate();
    }
    const cl::Buffer& buffer() const { return arena_.buffer_; }
    const cl::Buffer& zeros() const { return arena_.zeros_; }
    PendingCommands& pending() { return arena_.pending_; }

   private:
    std::lock_guard<std::mutex> lock_;
    WorkspaceArena& arena_;
  };

 private:
  void allocate();

  std::mutex mutex_;
  cl::Context context_;
  std::uint64_t bytes_ = 0;
  cl::Buffer buffer_, zeros_;
  PendingCommands pending_;
  HeldEvents held_;
};

}  // namespace tilewright::detail
