#pragma once

#include <cstdint>
#include <mutex>

#include "runtime/device/opencl.hpp"
#include "runtime/memory/pending_commands.hpp"

namespace tilewright::detail {

/// An engine's workspace: one buffer, as large as the plan that needs most, which calls use one after another.
/// Safe to use from many threads.
class WorkspaceArena {
 public:
  /// Makes the buffer so large at least. Commands that were enqueued with a smaller one keep it until they are done.
  void reserve(const cl::Context& context, std::uint64_t bytes);

  /// The buffer for the commands of one call, which no other call can enqueue its own among.
  class Lease {
   public:
    explicit Lease(WorkspaceArena& arena) : lock_(arena.mutex_), arena_(arena) {}
    const cl::Buffer& buffer() const { return arena_.buffer_; }
    PendingCommands& pending() { return arena_.pending_; }

   private:
    std::lock_guard<std::mutex> lock_;
    WorkspaceArena& arena_;
  };

 private:
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;
  cl::Buffer buffer_;
  PendingCommands pending_;
};

}  // namespace tilewright::detail
