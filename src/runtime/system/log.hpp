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

/// For handlers of exceptions that do not leave the library: sends `what`, `name` and `after`, which follow each other,
/// and the exception's message to debug(). Takes the text in parts, because a handler that joined them could itself run
/// out of memory. Drops an exception of the callback, because no one is left to receive it.
void debug_failure(std::string_view what, std::string_view name = {}, std::string_view after = {}) noexcept;

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
