// Pinned host memory in chunks, and the threads that copy to and from it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/device/opencl.hpp"

namespace tilewright::detail {

/// Whether a command is complete; true for a null event. Throws Error if the command failed.
bool is_command_complete(const cl::Event& event);

/// Chunks of pinned memory.
class StagingChunks {
 public:
  /// Allocates nothing if `count` or `bytes` is 0. `bytes` is the size of one chunk.
  StagingChunks(const cl::Context& context, const cl::CommandQueue& queue, unsigned count, std::uint64_t bytes);
  /// All commands that use the chunks must be complete.
  ~StagingChunks();
  StagingChunks(const StagingChunks&) = delete;
  StagingChunks& operator=(const StagingChunks&) = delete;

  struct Chunk {
    std::byte* data = nullptr;
    cl::Event command{};    ///< the last command that uses the chunk
    bool is_taken = false;  ///< whether its data must be kept
  };

  /// Returns a chunk that is not taken and that no command uses; null if there is none.
  Chunk* find_free();
  std::uint64_t bytes() const { return bytes_; }

 private:
  cl::CommandQueue queue_;
  std::uint64_t bytes_;
  cl::Buffer buffer_;
  void* mapped_ = nullptr;
  std::vector<Chunk> chunks_;
};

/// Copies rows of matrices with several threads, including the caller's. The other threads live as long as the object.
class RowCopier {
 public:
  explicit RowCopier(unsigned threads);
  ~RowCopier();
  RowCopier(const RowCopier&) = delete;
  RowCopier& operator=(const RowCopier&) = delete;

  struct Rows {
    std::byte* target = nullptr;
    const std::byte* source = nullptr;
    std::uint64_t target_pitch = 0, source_pitch = 0;  ///< bytes from one row to the next
    std::uint64_t bytes = 0;                           ///< bytes of one row
    std::uint64_t rows = 0;
    bool is_streamed = false;  ///< whether the target leaves the cache before it is read; see stream_copy()
  };

  /// Returns when all rows are copied.
  void copy(const Rows& rows);
  /// Returns the bytes of all copies.
  std::uint64_t bytes() const { return bytes_; }

 private:
  void help(std::size_t part);
  void copy_part(std::size_t part) const;

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_, done_;
  Rows rows_{};
  std::uint64_t bytes_ = 0;
  std::uint64_t call_ = 0;
  std::size_t left_ = 0;
  bool is_over_ = false;
};

}  // namespace tilewright::detail
