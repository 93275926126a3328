#include "kernels/command_chain.hpp"

#include <utility>

#include "runtime/memory/pending_commands.hpp"
#include "runtime/system/log.hpp"

namespace tilewright::detail {

CommandChain::CommandChain(cl_command_queue queue, std::span<const cl_event> waits, WorkspaceArena& arena,
                           std::uint64_t workspace_bytes, const WorkspaceRef& lent)
    : queue_(queue), waits_(waits.begin(), waits.end()), memory_(queue, arena, workspace_bytes, lent) {
  memory_.append_to(waits_);
  waits_for_others_ = !waits_.empty();
}

// A call that ends early still has commands that use the memory. The next call may wait for their events in another
// queue, which only flushed commands permit. If the flush fails, nothing runs in the queue any more.
CommandChain::~CommandChain() {
  try {
    if (memory_.is_shared() && (is_begun_ || !made_.empty())) {
      if (ends_unnamed_) cover_parts();
      clFlush(queue_);
    }
    release();
  } catch (...) {  // the queue cannot be retained, or there is no memory
    debug_failure("the workspace of a call that failed may be reused too early");
  }
}

void CommandChain::share(PendingCommands& users) {
  memory_.share(users);
  users.append_to(waits_, queue_);
  waits_for_others_ = !waits_.empty();
}

void CommandChain::begin_step(bool parallel) {
  if (last_.get() != nullptr) {
    note_first_steps();
    concurrent_.push_back(made_.emplace_back(last_.release())());
    noted_ = made_.size();
  }
  if (parallel) return;
  is_first_ = is_first_ && !is_begun_;
  if (!is_begun_) return;
  waits_.swap(concurrent_);
  concurrent_.clear();
}

// A step must fail if a command that the call waits for fails. The order of a queue does not ensure that, so events are
// made. An event that a step returns unasked is no reason: an in-order queue runs the later steps after it anyway.
// Events that profile can take longer than a small launch (8 us on NVIDIA's driver), so only the first step makes one.
bool CommandChain::makes_events() {
  if (has_many_steps_.value_or(false) || waits_for_others_) return true;
  if (has_many_steps_ && !memory_.is_shared()) return false;
  if (has(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) return true;
  return !is_begun_ && wants_times_ && is_profiled();
}

bool CommandChain::has(cl_command_queue_properties property) {
  if (!properties_) properties_ = properties_of(queue_);
  return (*properties_ & property) != 0;
}

// Later steps start after these.
void CommandChain::note_first_steps() {
  if (!is_first_ || !is_profiled()) return;
  for (; noted_ < made_.size(); ++noted_) first_.begin_with(made_[noted_]());
  first_.begin_with(last_);
}

Event CommandChain::finish(bool event) {
  attempt([&] {
    if (!concurrent_.empty() || (event && last_.get() == nullptr)) {
      begin_step(false);
      last_ = enqueue_marker(queue_, waits_);
      is_begun_ = true;
    }
    if (last_.get() != nullptr) {
      if (!made_.empty()) note_first_steps();
      last_.begin_with(first_);
      // The next call may use another queue, and may only wait for commands that were flushed. If there is no event,
      // that call flushes this queue itself.
      if (memory_.is_shared()) check(clFlush(queue_), "clFlush");
    }
    release();
  });
  return std::move(last_);
}

// A call failed. A marker covers its commands without events, so that the memory does not keep the queue.
void CommandChain::cover_parts() {
  is_begun_ = ends_unnamed_ = true;
  try {
    made_.emplace_back(enqueue_marker(queue_, {}).release());
    ends_unnamed_ = false;
  } catch (...) {
    debug_failure("the workspace of a call that failed may be reused too early");
  }
}

void CommandChain::release() {
  if (is_begun_ || !made_.empty()) memory_.record(made_, last_, ends_unnamed_ && !makes_events());
  made_.clear();
  is_begun_ = false;
}

}  // namespace tilewright::detail
