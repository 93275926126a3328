#include "kernels/command_chain.hpp"

#include <string_view>
#include <utility>

#include "runtime/memory/pending_commands.hpp"

namespace tilewright::detail {

CommandChain::CommandChain(cl_command_queue queue, std::span<const cl_event> waits, const WorkspaceRef& lent,
                           WorkspaceArena* arena)
    : queue_(queue), waits_(waits.begin(), waits.end()), workspace_(lent) {
  if (lent.buffer == nullptr && arena != nullptr) {
    lease_.emplace(*arena);
    workspace_ = {lease_->buffer()(), 0};
    lease_->pending().append_to(waits_, queue);
  }
  // What waits for a command that fails must fail as well, which the order of a queue does not see to.
  makes_events_ = !waits_.empty() || !is_in_order(queue);
}

// A call that ends half way still has commands that use the workspace.
CommandChain::~CommandChain() {
  if (!lease_ || !is_begun_) return;
  try {
    if (last_.get() != nullptr)
      lease_->pending().add_last(last_.get());
    else
      lease_->pending().add_last_without_event(queue_);
  } catch (...) {  // the queue cannot be retained, so it is lost
  }
}

void CommandChain::follow(Event done) {
  is_begun_ = true;
  waits_.clear();
  if (done.get() != nullptr) {
    if (lease_) lease_->pending().add(done.get());
    waits_.push_back(done.get());
  }
  last_ = std::move(done);
}

Event CommandChain::finish() {
  if (lease_) {
    if (last_.get() != nullptr)
      lease_->pending().add_last(last_.get());
    else
      lease_->pending().add_last_without_event(queue_);
    check(clFlush(queue_), "clFlush");  // a call on another queue may wait for this one
    lease_.reset();
  }
  return std::move(last_);
}

const char* CommandChain::part_message(std::string_view message) {
  constexpr const char* text = "; a part of the call was enqueued before that and may still write its result";
  return message.ends_with(text) ? "" : text;
}

}  // namespace tilewright::detail
