// Runs calls on one object one after another. User code that runs during a call may call the object again.
#pragma once

#include <condition_variable>
#include <mutex>

namespace tilewright::detail {

/// The calls that a thread is in, innermost first.
struct CallChain {
  const void* object;
  const CallChain* outer;
};

/// Returns the calls that this thread is in; null if there are none.
const CallChain* current_calls() noexcept;

/// Puts this thread into the calls of another thread until the end of a scope. A helper thread uses it to work for the
/// thread that started it.
class EnteredCalls {
 public:
  explicit EnteredCalls(const CallChain* calls) noexcept;
  ~EnteredCalls();
  EnteredCalls(const EnteredCalls&) = delete;
  EnteredCalls& operator=(const EnteredCalls&) = delete;

 private:
  const CallChain* before_;
};

/// Gives turns to calls, one at a time. No lock is held during a turn.
class CallTurns {
 public:
  class Turn;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_taken_ = false;
};

/// The turn of one call. Waits for it, unless this thread is already in a call on the object: user code then calls the
/// object again.
class CallTurns::Turn {
 public:
  explicit Turn(CallTurns& turns);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Whether the call runs inside another call, which has the turn.
  bool is_nested() const { return is_nested_; }

 private:
  CallTurns& turns_;
  bool is_nested_;
  CallChain chain_;
  EnteredCalls entered_;
};

}  // namespace tilewright::detail
