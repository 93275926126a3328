#pragma once

#include <cstdint>
#include <mutex>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/pending_commands.hpp"

namespace tilewright::detail {

/// The bytes of the zeros.
inline constexpr std::uint64_t zero_bytes = 1 << 16;

/// An engine's workspace: one buffer, as large as the plan that needs most, which calls use one after another. And a
/// small one of zeros, which each call leaves as it was.
/// Safe to use from many threads.
class WorkspaceArena {
 public:
  /// Makes the buffer so large at least, and the zeros where they are wanted. Commands that were enqueued with a
  /// smaller buffer keep it, and the zeros beside it, until they are done.
  void reserve(const cl::Context& context, std::uint64_t bytes, bool wants_zeros);

  /// Of the engine's commands that do not use the workspace.
  HeldEvents& held() { return held_; }

  /// The buffer for the commands of one call, which no other call can enqueue its own among.
  class Lease {
   public:
    explicit Lease(WorkspaceArena& arena) : lock_(arena.mutex_), arena_(arena) {}
    const cl::Buffer& buffer() const { return arena_.buffer_; }
    const cl::Buffer& zeros() const { return arena_.zeros_; }
    PendingCommands& pending() { return arena_.pending_; }

   private:
    std::lock_guard<std::mutex> lock_;
    WorkspaceArena& arena_;
  };

 private:
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  cl::Buffer buffer_, zeros_;
  PendingCommands pending_;
  HeldEvents held_;
};

}  // namespace tilewright::detail
