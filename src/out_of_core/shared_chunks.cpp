#include "out_of_core/shared_chunks.hpp"

#include <algorithm>

#include "tilewright/error.hpp"

namespace tilewright::detail {
namespace {

bool are_same(const RowCopier::Rows& one, const RowCopier::Rows& other) {
  return one.source == other.source && one.rows == other.rows && one.bytes == other.bytes &&
         one.source_pitch == other.source_pitch && one.target_pitch == other.target_pitch;
}

// Whether a command is complete or has failed.
bool has_ended(const cl::Event& event) noexcept {
  if (event() == nullptr) return true;
  cl_int status = CL_QUEUED;
  return clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) == CL_SUCCESS &&
         status <= CL_COMPLETE;
}

}  // namespace

SharedChunks::SharedChunks(const cl::Context& context, const cl::Device& device, unsigned count, std::uint64_t bytes)
    : memory_(context, cl::CommandQueue(context, device), count, bytes) {
  for (StagingChunks::Chunk* chunk = memory_.find_free(); chunk != nullptr; chunk = memory_.find_free()) {
    chunk->is_taken = true;
    chunks_.push_back({.data = chunk->data});
  }
}

SharedChunks::Use SharedChunks::take(const RowCopier::Rows& rows, bool ahead) {
  const std::lock_guard lock(mutex_);
  if (rows.rows * rows.target_pitch > memory_.bytes()) return {};
  Chunk* oldest = nullptr;
  for (Chunk& chunk : chunks_) {
    if (chunk.has_rows && are_same(chunk.rows, rows)) {
      if (chunk.is_filling) return {.state = Use::State::wait};
      ++chunk.users;
      chunk.last_use = ++uses_;
      chunk.was_used |= !ahead;
      return {Use::State::ready, static_cast<std::size_t>(&chunk - chunks_.data()), chunk.data};
    }
    if (ahead && chunk.has_rows && !chunk.was_used) continue;
    if (chunk.users == 0 && (oldest == nullptr || chunk.last_use < oldest->last_use)) oldest = &chunk;
  }
  if (oldest == nullptr) return {};
  oldest->rows = rows;
  oldest->has_rows = oldest->is_filling = true;
  oldest->was_used = !ahead;
  oldest->users = 1;
  oldest->last_use = ++uses_;
  return {Use::State::fill, static_cast<std::size_t>(oldest - chunks_.data()), oldest->data};
}

void SharedChunks::filled(std::size_t chunk) {
  const std::lock_guard lock(mutex_);
  chunks_[chunk].is_filling = false;
}

void SharedChunks::release(std::size_t chunk) {
  const std::lock_guard lock(mutex_);
  --chunks_[chunk].users;
}

void SharedChunks::forget() {
  const std::lock_guard lock(mutex_);
  for (Chunk& chunk : chunks_) chunk.has_rows = false;
}

std::shared_ptr<SharedChunks> make_shared_chunks(const Engine& owner, std::uint64_t chunk_bytes, double operand_bytes,
                                                 std::uint64_t memory) {
  // Devices drift apart by slabs, whose sizes grow with the operands. A chunk that is replaced too early is copied
  // again. But drivers take a second to pin 2 GB, so short products have few.
  constexpr std::uint64_t least = 4, usual = 32, most = 128;
  constexpr double part = 1.0 / 16;
  if (chunk_bytes == 0) return nullptr;
  const double wanted = std::clamp(part * operand_bytes / static_cast<double>(chunk_bytes), static_cast<double>(usual),
                                   static_cast<double>(most));
  const std::uint64_t count = std::min(static_cast<std::uint64_t>(wanted),
                                       std::min(owner.profile().max_allocation_bytes, memory) / chunk_bytes);
  if (count < least) return nullptr;
  try {
    return translated([&] {
      return std::make_shared<SharedChunks>(cl::Context(owner.context(), true), cl::Device(owner.device(), true),
                                            static_cast<unsigned>(count), chunk_bytes);
    });
  } catch (const Error&) {
    return nullptr;  // if the device has failed, the next call for it says so
  }
}

bool SharedReads::find(const RowCopier::Rows& rows, RowCopier& copier, PinnedRows& found) {
  using State = SharedChunks::Use::State;
  found = {};
  if (!chunks_) return false;
  if (reads_.size() >= most_) return true;
  const SharedChunks::Use use = chunks_->take(rows);
  if (use.state == State::none) return false;
  if (use.state == State::wait) return true;
  if (use.state == State::fill) fill(use, rows, copier);
  reads_.push_back({use.chunk});
  found = {use.data, &reads_.back().command};
  return true;
}

bool SharedReads::prefetch(const RowCopier::Rows& rows, RowCopier& copier) {
  using State = SharedChunks::Use::State;
  const SharedChunks::Use use = chunks_ ? chunks_->take(rows, true) : SharedChunks::Use{};
  if (use.state == State::fill) fill(use, rows, copier);
  if (use.state == State::fill || use.state == State::ready) chunks_->release(use.chunk);
  return use.state == State::fill;
}

void SharedReads::fill(const SharedChunks::Use& use, RowCopier::Rows rows, RowCopier& copier) {
  rows.target = use.data;
  rows.is_streamed = true;  // shared chunks are larger than the cache
  copier.copy(rows);
  chunks_->filled(use.chunk);
}

void SharedReads::release_first() {
  chunks_->release(reads_.front().chunk);
  reads_.pop_front();
}

void SharedReads::release_ended() noexcept {
  while (!reads_.empty() && has_ended(reads_.front().command)) release_first();
}

void SharedReads::release_all() {
  while (!reads_.empty()) release_first();
}

}  // namespace tilewright::detail
