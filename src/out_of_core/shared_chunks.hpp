// Pinned memory that holds parts of A and B for several devices: each part is copied once, and all devices read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "out_of_core/staging.hpp"
#include "runtime/device/opencl.hpp"
#include "tilewright/engine.hpp"

namespace tilewright::detail {

/// Chunks of pinned memory that several workers share. The memory belongs to one context; other devices read it like
/// any host memory, and drivers of GPUs at the speed of pinned memory. Parts that many devices need at about the same
/// time are found here; a part that was replaced in the meantime is copied again. For several threads.
class SharedChunks {
 public:
  SharedChunks(const cl::Context& context, const cl::Device& device, unsigned count, std::uint64_t bytes);

  /// A chunk that a worker uses or fills.
  struct Use {
    enum class State {
      ready,  ///< `data` holds the part
      fill,   ///< the worker must copy the part to `data`, and then call filled()
      wait,   ///< another worker is copying the part
      none    ///< the part is too large, or no chunk may be replaced
    };

    State state = State::none;
    std::size_t chunk = 0;
    std::byte* data = nullptr;
  };

  /// Looks for rows by their source and sizes; their target is ignored. The caller must release() a chunk that is ready
  /// or to be filled, when no command reads it any more. `ahead`: the rows are for later. They then do not replace rows
  /// that nobody has used yet.
  Use take(const RowCopier::Rows& rows, bool ahead = false);
  void filled(std::size_t chunk);
  void release(std::size_t chunk);

  /// Forgets all parts, because the matrices may have changed. No worker may be filling a chunk.
  void forget();

 private:
  struct Chunk {
    std::byte* data = nullptr;
    RowCopier::Rows rows{};
    bool has_rows = false, is_filling = false;
    bool was_used = false;  // since it was filled, other than ahead
    unsigned users = 0;
    std::uint64_t last_use = 0;
  };

  std::mutex mutex_;
  StagingChunks memory_;
  std::vector<Chunk> chunks_;
  std::uint64_t uses_ = 0;
};

/// Returns shared memory of chunks of this size, which belongs to the context of an engine. Larger operands get more
/// chunks, as far as `memory` bytes suffice. Null if they do not suffice for enough chunks, or if the device fails:
/// each worker then copies for itself.
std::shared_ptr<SharedChunks> make_shared_chunks(const Engine& owner, std::uint64_t chunk_bytes, double operand_bytes,
                                                 std::uint64_t memory);

/// Pinned memory, and where the event of the command that reads it belongs. No data: the caller must try again later.
struct PinnedRows {
  const std::byte* data = nullptr;
  cl::Event* command = nullptr;
};

/// The shared chunks that one worker's commands read, in the order of the commands.
class SharedReads {
 public:
  SharedReads(std::shared_ptr<SharedChunks> chunks, std::size_t most) : chunks_(std::move(chunks)), most_(most) {}
  /// All commands must be complete.
  ~SharedReads() { release_all(); }
  SharedReads(const SharedReads&) = delete;
  SharedReads& operator=(const SharedReads&) = delete;

  /// Finds rows in a shared chunk, or copies them there. Nothing is found while another worker copies them, or while
  /// this worker's commands read `most` chunks. Returns false if there are no shared chunks, or no free one.
  bool find(const RowCopier::Rows& rows, RowCopier& copier, PinnedRows& found);
  /// Copies rows to a shared chunk for later, unless they are there, another worker copies them, or no chunk may be
  /// replaced: those in use, and those whose rows were copied for later and not used yet.
  /// Returns whether it did.
  bool prefetch(const RowCopier::Rows& rows, RowCopier& copier);
  /// Releases the chunks whose commands are complete or have failed.
  void release_ended() noexcept;
  /// All commands must be complete.
  void release_all();

 private:
  struct Read {
    std::size_t chunk;
    cl::Event command{};
  };

  void fill(const SharedChunks::Use& use, RowCopier::Rows rows, RowCopier& copier);
  void release_first();

  std::shared_ptr<SharedChunks> chunks_;
  std::size_t most_;
  std::deque<Read> reads_;
};

}  // namespace tilewright::detail
