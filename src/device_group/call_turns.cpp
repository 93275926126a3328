#include "device_group/call_turns.hpp"

namespace tilewright::detail {
namespace {

thread_local const CallChain* calls_of_thread = nullptr;

bool is_in_call_on(const void* object) {
  for (const CallChain* call = calls_of_thread; call != nullptr; call = call->outer)
    if (call->object == object) return true;
  return false;
}

}  // namespace

const CallChain* current_calls() noexcept { return calls_of_thread; }

EnteredCalls::EnteredCalls(const CallChain* calls) noexcept : before_(calls_of_thread) { calls_of_thread = calls; }
EnteredCalls::~EnteredCalls() { calls_of_thread = before_; }

CallTurns::Turn::Turn(CallTurns& turns)
    : turns_(turns), is_nested_(is_in_call_on(&turns)), chain_{&turns, calls_of_thread}, entered_(&chain_) {
  if (is_nested_) return;
  std::unique_lock lock(turns_.mutex_);
  turns_.ended_.wait(lock, [&] { return !turns_.is_taken_; });
  turns_.is_taken_ = true;
}

CallTurns::Turn::~Turn() {
  if (is_nested_) return;
  {
    const std::lock_guard lock(turns_.mutex_);
    turns_.is_taken_ = false;
  }
  turns_.ended_.notify_one();
}

}  // namespace tilewright::detail
