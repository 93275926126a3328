// Messages to the application's callbacks.
#pragma once

#include <string>
#include <string_view>

namespace tilewright::detail {

/// Sends a message to the application's log callback, if there is one.
void log(std::string_view message);

/// Sends a message like log(), but only once per process: for conditions that recur.
void log_once(const std::string& message);

/// Sends a message to the debug callback, if there is one. Such messages are no warnings.
void debug(std::string_view message);

/// For handlers of exceptions that do not leave the library: sends `what` and the exception's message to debug(). Drops
/// an exception of the callback itself, because no one is left to receive it.
void debug_failure(std::string_view what) noexcept;

/// Suppresses all messages of its thread while it exists.
class NoMessages {
 public:
  NoMessages();
  ~NoMessages();
  NoMessages(const NoMessages&) = delete;
  NoMessages& operator=(const NoMessages&) = delete;

 private:
  bool warnings_were_off_;
  bool details_were_off_;
};

}  // namespace tilewright::detail
