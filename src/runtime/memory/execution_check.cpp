#include "runtime/memory/execution_check.hpp"

#include <utility>

namespace tilewright::detail {
namespace {

using Kept = std::shared_ptr<void>;

void CL_CALLBACK release(cl_event, cl_int, void* kept) { delete static_cast<Kept*>(kept); }

}  // namespace

void keep_until_done(const cl::Event& command, std::shared_ptr<void> memory) {
  auto kept = std::make_unique<Kept>(std::move(memory));
  if (clSetEventCallback(command(), CL_COMPLETE, release, kept.get()) == CL_SUCCESS) {
    (void)kept.release();
  } else {
    command.wait();
  }
}

ExecutionCheck::ExecutionCheck(cl_command_queue queue, const cl::Event& command, const cl::Buffer& buffer,
                               std::size_t offset, cl_ulong expected)
    : command_(command), seen_(std::make_shared<cl_ulong>(~expected)), expected_(expected) {
  cl_event event = nullptr;
  check(clEnqueueReadBuffer(queue, buffer(), CL_FALSE, offset, sizeof(cl_ulong), seen_.get(), 1, &command(), &event),
        "clEnqueueReadBuffer");
  event_ = cl::Event(event);
  keep_until_done(event_, seen_);
}

cl::Event write_stamp(cl_command_queue queue, const cl::Buffer& buffer, cl_ulong value,
                      std::span<const cl_event> waits) {
  const auto sent = std::make_shared<cl_ulong>(value);
  cl_event event = nullptr;
  check(clEnqueueWriteBuffer(queue, buffer(), CL_FALSE, 0, sizeof(cl_ulong), sent.get(),
                             static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(), &event),
        "clEnqueueWriteBuffer");
  cl::Event written(event);
  keep_until_done(written, sent);
  return written;
}

void ExecutionCheck::append_to(std::vector<cl_event>& waits) const {
  waits.push_back(command_());
  if (event_() != command_()) waits.push_back(event_());
}

ExecutionCheck::Outcome ExecutionCheck::outcome() const {
  if (was_executed_.load(std::memory_order_acquire)) return Outcome::executed;
  const cl_int status = event_.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
  if (status > CL_COMPLETE) return Outcome::pending;
  if (status < CL_COMPLETE || (seen_ && *seen_ != expected_)) return Outcome::failed;
  was_executed_.store(true, std::memory_order_release);
  return Outcome::executed;
}

}  // namespace tilewright::detail
