#include "kernels/command_chain.hpp"

#include <utility>

#include "kernels/enqueue_launch.hpp"
#include "runtime/memory/pending_commands.hpp"
#include "runtime/system/log.hpp"

namespace tilewright::detail {

CommandChain::CommandChain(cl_command_queue queue, std::span<const cl_event> waits, WorkspaceArena& arena,
                           std::uint64_t workspace_bytes, const WorkspaceRef& lent)
    : queue_(queue), waits_(waits.begin(), waits.end()), memory_(queue, arena, workspace_bytes, lent) {
  memory_.append_to(waits_);
  // A step must fail if a command that it waits for fails. The order of a queue does not ensure that, so events are
  // made.
  const cl_command_queue_properties properties = properties_of(queue);
  is_profiled_ = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
  makes_events_ = !waits_.empty() || is_profiled_ || (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

// A call that ends early still has commands that use the workspace.
CommandChain::~CommandChain() {
  try {
    release();
  } catch (...) {  // the queue cannot be retained, or there is no memory
    debug_failure("the workspace of a call that failed may be reused too early");
  }
}

void CommandChain::run(LaunchSequence& sequence, CallValues values, bool event) {
  add(
      [&](std::span<const cl_event> waits, bool makes_event) {
        SequenceCall call;
        call.values = std::move(values);
        call.waits.assign(waits.begin(), waits.end());
        call.event = makes_event;
        return sequence.enqueue(queue_, call);
      },
      event);
}

void CommandChain::launch(const LaunchKernel& kernel, const Launch& launch, const FixedValues& fixed,
                          const CallValues& values) {
  add([&](std::span<const cl_event> waits, bool event) {
    set_fixed_arguments(kernel(), launch, fixed);
    set_call_arguments(kernel(), launch, fixed, values);
    return enqueue_launch(queue_, kernel, launch, all_of(launch), waits, made_, event);
  });
}

void CommandChain::keep_last() {
  if (last_.get() != nullptr) made_.emplace_back(last_.release());
}

void CommandChain::follow(Event done) {
  const bool is_first = !std::exchange(is_begun_, true);
  waits_.clear();
  if (done.get() != nullptr) waits_.push_back(done.get());
  last_ = std::move(done);
  if (!is_profiled_ || !is_first) return;
  for (const cl::Event& part : made_) first_.begin_with(part());
  first_.begin_with(last_);
}

Event CommandChain::finish(bool event) {
  if (event && last_.get() == nullptr) follow(enqueue_marker(queue_, waits_));
  if (last_.get() != nullptr) last_.begin_with(first_);
  if (memory_.is_shared()) check(clFlush(queue_), "clFlush");  // a call on another queue may wait for this one
  release();
  return std::move(last_);
}

void CommandChain::release() {
  if (is_begun_ || !made_.empty()) memory_.record(made_, last_, !makes_events_);
  made_.clear();
}

}  // namespace tilewright::detail
