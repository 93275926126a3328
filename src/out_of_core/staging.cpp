#include "out_of_core/staging.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include "runtime/device/wait_for_all.hpp"
#include "runtime/system/stream_copy.hpp"

namespace tilewright::detail {
namespace {

// Bytes that take longer to copy than a thread takes to wake up.
constexpr std::uint64_t worth_a_thread = 1 << 20;

}  // namespace

bool is_command_complete(const cl::Event& event) {
  if (event() == nullptr) return true;
  const auto status = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
  if (status < 0) throw opencl_error(status, "a command of a product of matrices in host memory");
  return status == CL_COMPLETE;
}

StagingChunks::StagingChunks(const cl::Context& context, const cl::CommandQueue& queue, unsigned count,
                             std::uint64_t bytes)
    : queue_(queue), bytes_(bytes) {
  if (count == 0 || bytes == 0) return;
  const std::size_t all = static_cast<std::size_t>(count * bytes);
  buffer_ = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, all);
  mapped_ = queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, all);
  for (unsigned i = 0; i < count; ++i) chunks_.push_back({static_cast<std::byte*>(mapped_) + i * bytes});
}

StagingChunks::~StagingChunks() {
  if (mapped_ == nullptr) return;
  clEnqueueUnmapMemObject(queue_(), buffer_(), mapped_, 0, nullptr, nullptr);
  wait_for_all(queue_());
}

StagingChunks::Chunk* StagingChunks::find_free() {
  for (Chunk& chunk : chunks_)
    if (!chunk.is_taken && is_command_complete(chunk.command)) {
      chunk.command = {};
      return &chunk;
    }
  return nullptr;
}

RowCopier::RowCopier(unsigned threads) {
  constexpr unsigned most = 256;  // far more than memory bandwidth can feed
  threads_.reserve(std::min(threads, most));
  try {
    for (std::size_t part = 1; part < std::min(threads, most); ++part)
      threads_.emplace_back([this, part] { help(part); });
  } catch (const std::exception&) {
    // The threads that were started do all copies.
  }
}

RowCopier::~RowCopier() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Divides the rows between the threads, or each row if there are fewer rows than threads.
void RowCopier::copy_part(std::size_t part) const {
  const std::uint64_t parts = threads_.size() + 1;
  const bool by_rows = rows_.rows >= parts;
  const std::uint64_t all = by_rows ? rows_.rows : rows_.bytes;
  const std::uint64_t begin = all / parts * part + std::min<std::uint64_t>(part, all % parts);
  const std::uint64_t size = all / parts + (part < all % parts ? 1 : 0);
  const std::uint64_t first = by_rows ? begin : 0, last = by_rows ? begin + size : rows_.rows;
  const std::uint64_t offset = by_rows ? 0 : begin, bytes = by_rows ? rows_.bytes : size;
  const auto copy = [&](std::byte* target, const std::byte* source, std::uint64_t count) {
    if (rows_.is_streamed)
      stream_copy(target, source, count);
    else
      std::memcpy(target, source, count);
  };
  if (bytes == rows_.target_pitch && bytes == rows_.source_pitch) {
    copy(rows_.target + first * bytes, rows_.source + first * bytes, (last - first) * bytes);
    return;
  }
  for (std::uint64_t row = first; row < last; ++row)
    copy(rows_.target + row * rows_.target_pitch + offset, rows_.source + row * rows_.source_pitch + offset, bytes);
}

void RowCopier::help(std::size_t part) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_ || call_ != seen; });
      if (is_over_) return;
      seen = call_;
    }
    copy_part(part);
    const std::lock_guard lock(mutex_);
    if (--left_ == 0) done_.notify_one();
  }
}

void RowCopier::copy(const Rows& rows) {
  bytes_ += rows.rows * rows.bytes;
  if (threads_.empty() || rows.rows * rows.bytes < worth_a_thread) {
    for (std::uint64_t row = 0; row < rows.rows; ++row)
      std::memcpy(rows.target + row * rows.target_pitch, rows.source + row * rows.source_pitch, rows.bytes);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    rows_ = rows;
    left_ = threads_.size();
    ++call_;
  }
  changed_.notify_all();
  copy_part(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return left_ == 0; });
}

}  // namespace tilewright::detail
