// Calls on one object, one after another. User code that runs during a call may call the object again.
#pragma once

#include <condition_variable>
#include <mutex>

namespace tilewright::detail {

/// The calls that a thread is in, the innermost first.
struct CallChain {
  const void* object;
  const CallChain* outer;
};

/// The calls that this thread is in; null outside of any.
const CallChain* current_calls() noexcept;

/// Puts this thread into calls until the end of a scope: a helper thread works for the calls of the thread that began
/// it.
class EnteredCalls {
 public:
  explicit EnteredCalls(const CallChain* calls) noexcept;
  ~EnteredCalls();
  EnteredCalls(const EnteredCalls&) = delete;
  EnteredCalls& operator=(const EnteredCalls&) = delete;

 private:
  const CallChain* before_;
};

/// Lets one call at a time have its turn. No lock is held during a turn.
class CallTurns {
 public:
  class Turn;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_taken_ = false;
};

/// Waits for the turn, unless this thread is in a call on the same object already: user code calls the object again.
class CallTurns::Turn {
 public:
  explicit Turn(CallTurns& turns);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Whether the call runs inside another one, whose turn it is.
  bool is_nested() const { return is_nested_; }

 private:
  CallTurns& turns_;
  bool is_nested_;
  CallChain chain_;
  EnteredCalls entered_;
};

}  // namespace tilewright::detail
