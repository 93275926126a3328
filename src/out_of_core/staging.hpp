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

/// Whether a command is complete; true if there is none. Throws Error if the command failed.
bool is_command_complete(const cl::Event& event);

/// Pinned memory. A chunk is free while no command uses it.
class StagingChunks {
 public:
  /// Nothing is allocated where `count` is 0.
  StagingChunks(const cl::Context& context, const cl::CommandQueue& queue, unsigned count, std::uint64_t bytes);
  /// The queue's commands must be done.
  ~StagingChunks();
  StagingChunks(const StagingChunks&) = delete;
  StagingChunks& operator=(const StagingChunks&) = delete;

  struct Chunk {
    std::byte* data = nullptr;
    cl::Event command{};    ///< the last one that uses it
    bool is_taken = false;  ///< its data are still wanted
  };

  /// A chunk that nobody uses; null where there is none.
  Chunk* find_free();
  std::uint64_t bytes() const { return bytes_; }

 private:
  cl::CommandQueue queue_;
  std::uint64_t bytes_;
  cl::Buffer buffer_;
  void* mapped_ = nullptr;
  std::vector<Chunk> chunks_;
};

/// Copies rows of matrices in so many threads, the caller's among them. The others live as long as this.
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
    std::uint64_t bytes = 0;                           ///< of a row
    std::uint64_t rows = 0;
  };

  /// Returns when all rows are copied.
  void copy(const Rows& rows);

 private:
  void help(std::size_t part);
  void copy_part(std::size_t part) const;

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_, done_;
  Rows rows_{};
  std::uint64_t call_ = 0;
  std::size_t left_ = 0;
  bool is_over_ = false;
};

}  // namespace tilewright::detail
